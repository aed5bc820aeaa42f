import { expect, test } from 'vitest';
import { checkName, placeOf, readArguments, titleOf, type Command } from './command-line.ts';

const samples = ['studio', 'notes', 'mcp'];
const init: Command = { name: 'npm run init --', target: '<name>', own: [] };
const create: Command = {
  name: 'npm create gatehouse',
  target: '[folder]',
  own: ['git', 'install'],
};

test.each([
  [['framewise'], { target: 'framewise', yes: false }],
  [['a', '--without', 'mcp,studio'], { target: 'a', without: ['studio', 'mcp'], yes: false }],
  [
    ['--without=mcp', 'a', '--without=studio', '-y'],
    { target: 'a', without: ['studio', 'mcp'], yes: true },
  ],
  [
    ['@acme/story-board', '--without', 'mcp, mcp'],
    { target: '@acme/story-board', without: ['mcp'], yes: false },
  ],
  [['a', '--auth', 'in-app', '--yes'], { target: 'a', auth: 'in-app', yes: true }],
  [[], { yes: false }],
  [['--help'], expect.stringContaining('[--without studio,notes,mcp]') as string],
])('%j is accepted', (argv, given) => {
  expect(readArguments(argv, samples, init)).toEqual(given);
});

test('only the command that creates a folder asks about git and installation', () => {
  const argv = ['a', '--no-git', '--install'];
  expect(readArguments(argv, samples, create)).toEqual({
    target: 'a',
    yes: false,
    git: false,
    install: true,
  });
  expect(() => readArguments(argv, samples, init)).toThrow("Unknown option '--git'");
});

test.each([
  ['an unknown sample', ['a', '--without', 'blog'], 'not "blog"'],
  ['an empty list', ['a', '--without='], 'not ""'],
  ['an unknown auth mode', ['a', '--auth', 'oauth'], 'not "oauth"'],
  ['a part that is not a sample', ['a', '--without', 'accounts'], 'not "accounts"'],
  ['the template as a sample', ['a', '--without', 'template'], 'not "template"'],
  ['two names, as from a forgotten --', ['a', 'studio'], 'come after "--"'],
  ['an unknown option', ['a', '--with', 'b'], "Unknown option '--with'"],
])('%s is rejected', (_, argv, sentence) => {
  expect(() => readArguments(argv, samples, init)).toThrow(sentence);
});

test.each([
  ['a name that npm rejects', 'Frame Wise', '"Frame Wise" is not a valid package name'],
  ['a name reserved by npm', 'node_modules', '"node_modules" is not a valid package name'],
  ['a path', '../a', '"../a" is not a valid package name'],
  ['a name without a letter', '@a/-', 'begins with a hyphen'],
  ['a name like an option', '-rf', 'begins with a hyphen'],
  ['a name like an option in a scope', '@acme/-rf', 'begins with a hyphen'],
  ['a name in another script', 'ларёк', 'is not a valid package name'],
  ['a picture', '🦊', 'is not a valid package name'],
  ['a name with a space at its end', 'framewise ', 'is not a valid package name'],
  ['a name that is too long', 'a'.repeat(215), 'is not a valid package name'],
])('%s is rejected', (_, name, sentence) => {
  expect(() => {
    checkName(name);
  }).toThrow(sentence);
});

test.each([
  ['framewise', '/work/framewise', 'framewise'],
  ['sites/framewise/', '/work/sites/framewise', 'framewise'],
  ['@acme/framewise', '/work/framewise', '@acme/framewise'],
  ['.', '/work', 'work'],
])('%s is created in %s, with the name %s', (target, folder, name) => {
  expect(placeOf(target, '/work')).toEqual({ folder, name });
});

test.each([
  ['framewise', 'Framewise'],
  ['story-board', 'Story Board'],
  ['@acme/story.board_2', 'Story Board 2'],
])('%s is displayed as %s', (name, title) => {
  expect(titleOf(name)).toBe(title);
});
