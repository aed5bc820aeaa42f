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
    .map((line) => line.split(/ *\| */).slice(1, 4));
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
