import { expect, test } from 'vitest';
import { readRequest, titleOf } from './command-line';

test.each([
  [['framewise'], { name: 'framewise', without: [] }],
  [['a', '--without', 'mcp,studio'], { name: 'a', without: ['studio', 'mcp'] }],
  [['--without=mcp', 'a', '--without=studio'], { name: 'a', without: ['studio', 'mcp'] }],
  [['a', '--without', 'notes'], { name: 'a', without: ['notes'] }],
  [['@acme/story-board', '--without', 'mcp, mcp'], { name: '@acme/story-board', without: ['mcp'] }],
  [['a', '--auth', 'in-app'], { name: 'a', auth: 'in-app', without: [] }],
  [['--help'], 'help'],
])('%j is understood', (argv, request) => {
  expect(readRequest(argv)).toEqual(request);
});

test.each([
  ['no name', [], 'needs a name'],
  ['a name that npm refuses', ['Frame Wise'], '"Frame Wise" is no name for a package'],
  ['a name of npm’s own', ['node_modules'], '"node_modules" is no name for a package'],
  ['a path', ['../a'], '"../a" is no name for a package'],
  ['a name without a letter', ['@a/-'], 'begins with a hyphen'],
  ['a name like an option', ['--', '-rf'], 'begins with a hyphen'],
  ['a name like an option in a scope', ['@acme/-rf'], 'begins with a hyphen'],
  ['a name in another script', ['ларёк'], 'is no name for a package'],
  ['a picture', ['🦊'], 'is no name for a package'],
  ['a name with a space at its end', ['framewise '], 'is no name for a package'],
  ['a name that is too long', ['a'.repeat(215)], 'is no name for a package'],
  ['a sample that there is none of', ['a', '--without', 'blog'], 'and not "blog"'],
  ['an empty list', ['a', '--without='], 'and not ""'],
  ['an auth mode that there is none of', ['a', '--auth', 'oauth'], 'and not "oauth"'],
  ['a part that is no sample', ['a', '--without', 'accounts'], 'and not "accounts"'],
  ['the template as a sample', ['a', '--without', 'template'], 'and not "template"'],
  ['two names, as from a forgotten --', ['a', 'studio'], 'come after "--"'],
  ['an option that there is none of', ['a', '--with', 'b'], "Unknown option '--with'"],
])('%s is refused', (_, argv, sentence) => {
  expect(() => readRequest(argv)).toThrow(sentence);
});

test.each([
  ['framewise', 'Framewise'],
  ['story-board', 'Story Board'],
  ['@acme/story.board_2', 'Story Board 2'],
])('%s is shown as %s', (name, title) => {
  expect(titleOf(name)).toBe(title);
});
