import { expect, test } from 'vitest';
import { readRequest, titleOf } from './command-line.ts';

const samples = ['studio', 'notes', 'mcp'];

test.each([
  [['framewise'], { name: 'framewise', without: [] }],
  [['a', '--without', 'mcp,studio'], { name: 'a', without: ['studio', 'mcp'] }],
  [['--without=mcp', 'a', '--without=studio'], { name: 'a', without: ['studio', 'mcp'] }],
  [['a', '--without', 'notes'], { name: 'a', without: ['notes'] }],
  [['@acme/story-board', '--without', 'mcp, mcp'], { name: '@acme/story-board', without: ['mcp'] }],
  [['a', '--auth', 'in-app'], { name: 'a', auth: 'in-app', without: [] }],
  [['--help'], expect.stringContaining('[--without studio,notes,mcp]') as string],
])('%j is accepted', (argv, request) => {
  expect(readRequest(argv, samples)).toEqual(request);
});

test.each([
  ['no name', [], 'needs a name'],
  ['a name that npm rejects', ['Frame Wise'], '"Frame Wise" is not a valid package name'],
  ['a name reserved by npm', ['node_modules'], '"node_modules" is not a valid package name'],
  ['a path', ['../a'], '"../a" is not a valid package name'],
  ['a name without a letter', ['@a/-'], 'begins with a hyphen'],
  ['a name like an option', ['--', '-rf'], 'begins with a hyphen'],
  ['a name like an option in a scope', ['@acme/-rf'], 'begins with a hyphen'],
  ['a name in another script', ['ларёк'], 'is not a valid package name'],
  ['a picture', ['🦊'], 'is not a valid package name'],
  ['a name with a space at its end', ['framewise '], 'is not a valid package name'],
  ['a name that is too long', ['a'.repeat(215)], 'is not a valid package name'],
  ['an unknown sample', ['a', '--without', 'blog'], 'not "blog"'],
  ['an empty list', ['a', '--without='], 'not ""'],
  ['an unknown auth mode', ['a', '--auth', 'oauth'], 'not "oauth"'],
  ['a part that is not a sample', ['a', '--without', 'accounts'], 'not "accounts"'],
  ['the template as a sample', ['a', '--without', 'template'], 'not "template"'],
  ['two names, as from a forgotten --', ['a', 'studio'], 'come after "--"'],
  ['an unknown option', ['a', '--with', 'b'], "Unknown option '--with'"],
])('%s is rejected', (_, argv, sentence) => {
  expect(() => readRequest(argv, samples)).toThrow(sentence);
});

test.each([
  ['framewise', 'Framewise'],
  ['story-board', 'Story Board'],
  ['@acme/story.board_2', 'Story Board 2'],
])('%s is displayed as %s', (name, title) => {
  expect(titleOf(name)).toBe(title);
});
