/** What is written about settings comes from their declarations. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  envExample,
  readSettings,
  serverSettings,
  SettingError,
  settingsPage,
  settingsReport,
  type Settings,
} from './index.ts';

const site = {
  wares: { name: 'WARES', schema: z.coerce.number().default(7), about: 'Wares `of` a page.' },
  isOpen: { name: 'OPEN', schema: z.stringbool().default(true), about: 'Is it?', example: '1' },
  key: {
    name: 'KEY',
    schema: z.string().optional(),
    about: 'A key.',
    example: '',
    isSecret: true,
    problem: (value, { isOpen }) => (isOpen && value === undefined ? 'is required: a key' : null),
    fallback: () => 'none',
  },
} as const satisfies Settings;
const groups = { site, server: serverSettings };

test('.env.example has each setting with an example, after its description', () => {
  expect(envExample({ site })).toMatch(/\n\n# Is it\?\nOPEN=1\n\n# A key\.\nKEY=\n$/);
  expect(envExample({ site })).not.toContain('WARES');
  // The server's settings come first, in whatever order the groups are exported.
  expect(envExample(groups)).toMatch(/PORT=3000[^]*OPEN=1/);
});

test('the page of settings has each with its default', () => {
  const rows = settingsPage({ site })
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, '')));
  expect(rows).toEqual([
    ['`WARES`', '`7`', 'Wares `of` a page.'],
    ['`OPEN`', '`1`', 'Is it?'],
    ['`KEY`', 'required', 'A key.'],
  ]);
});

test('the report shows values, and of a secret only that it is set', () => {
  const env = readSettings(groups, { KEY: 'canary', SITE_ORIGIN: 'https://site.example' });
  const report = settingsReport(groups, env);
  expect(report).toContain('SITE_ORIGIN=https://site.example\n');
  expect(report).toContain('WARES=7\nOPEN=1\nKEY=(set, not shown)\n');
  expect(report).not.toContain('canary');
  expect(settingsReport({ site }, { ...env, key: undefined })).toContain('KEY=(none)');
});

test('a setting sees the others, before any fallback', () => {
  expect(() => readSettings({ site }, {})).toThrow(new SettingError('KEY is required: a key.'));
  expect(readSettings({ site }, { OPEN: '0' })).toEqual({ wares: 7, isOpen: false, key: 'none' });
});

test('two settings of one name are refused: one would take the other’s value', () => {
  const about = 'Another.';
  const port = {
    site: { mine: { name: 'PORT', schema: z.string(), about } },
    server: serverSettings,
  };
  expect(() => readSettings(port, {})).toThrow(
    new SettingError('PORT is the name of two settings, of server and of site.'),
  );
  const mode = {
    site: { mode: { name: 'MODE', schema: z.string(), about } },
    server: serverSettings,
  };
  expect(() => readSettings(mode, {})).toThrow('mode is the name of two settings');
});

test.each<[string, Partial<Settings[string]>]>([
  ['a schema that throws', { schema: z.string().transform((text) => JSON.parse(text) as unknown) }],
  ['an asynchronous schema', { schema: z.string().refine(() => Promise.resolve(true)) }],
  [
    'a check that throws',
    {
      problem: (value) => {
        throw new Error(String(value));
      },
    },
  ],
])('%s names the setting, and not its value', (_, broken) => {
  const own = { name: 'KEY', schema: z.string(), about: 'A key.', ...broken };
  const reading = () => readSettings({ site: { own } }, { KEY: '{"canary": x' });
  expect(reading).toThrow(new SettingError('KEY cannot be read: its declaration throws an error.'));
});

test('the schema library’s own messages are not repeated', () => {
  const read = (schema: z.ZodType, value?: string) => () =>
    readSettings({ site: { own: { name: 'KEY', schema, about: 'A key.' } } }, { KEY: value });
  expect(read(z.string())).toThrow(new SettingError('KEY is required.'));
  expect(read(z.url(), 'canary')).toThrow(new SettingError('KEY is malformed.'));
  expect(read(z.string().min(9, 'must be longer'), 'x')).toThrow('KEY must be longer.');
});

test('the report hides what is no text, and addresses with a password', () => {
  const about = 'Something.';
  const site = {
    list: { name: 'LIST', schema: z.unknown(), about },
    object: { name: 'OBJECT', schema: z.unknown(), about },
    address: { name: 'ADDRESS', schema: z.string(), about },
  };
  const env = { list: ['a', 'b'], object: { canary: 1 }, address: 'redis://u:canary@cache/0' };
  expect(settingsReport({ site }, env)).toBe(
    'LIST=a b\nOBJECT=(set, not shown)\nADDRESS=(set, not shown)\n',
  );
});

test('a description of several lines, or with a bar, stays in its comment and its cell', () => {
  const site = {
    own: { name: 'OWN', schema: z.string().optional(), about: 'a | b\nc', example: '' },
  };
  expect(envExample({ site })).toContain('# a | b c\nOWN=');
  expect(settingsPage({ site })).toContain('| `OWN` | none | a \\| b c |');
});
