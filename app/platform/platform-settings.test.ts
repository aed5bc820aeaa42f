/** The settings of the platform. */
import { readSettings, serverSettings, SettingError } from '@gatehouse/server/settings';
import { expect, test } from 'vitest';
import platform from './settings.server';

const required = { PLATFORM_INTERNAL_URL: 'http://127.0.0.1:4001' };

const parse = (given: Record<string, string | undefined>) =>
  readSettings({ server: serverSettings, platform }, { ...required, ...given });

test('the internal address loses its last slash, and is no demo’s', () => {
  expect(parse({ PLATFORM_INTERNAL_URL: 'https://internal.example/api/' })).toMatchObject({
    platformInternalUrl: 'https://internal.example/api',
    offlineDemo: false,
  });
});

test.each<[string, Record<string, string | undefined>]>([
  ['PLATFORM_INTERNAL_URL', { PLATFORM_INTERNAL_URL: undefined }],
  ['PLATFORM_INTERNAL_URL', { PLATFORM_INTERNAL_URL: '' }],
  ['PLATFORM_INTERNAL_URL', { OFFLINE_DEMO: '1' }],
  ['OFFLINE_DEMO', { OFFLINE_DEMO: 'true' }],
  ['OFFLINE_DEMO', { OFFLINE_DEMO: 'yes', PLATFORM_INTERNAL_URL: undefined }],
])('a malformed or missing %s fails with one sentence that names it: %j [W02]', (name, given) => {
  let message = '';
  try {
    parse(given);
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    ({ message } = error);
  }
  expect(message).toMatch(new RegExp(`^${name} [^\\n]+\\.$`));
  // Zod's own messages say what they expected.
  expect(message).not.toMatch(/canary|expected/);
});

test('only the offline demo runs without PLATFORM_INTERNAL_URL, and it must not have one [W31]', () => {
  const alone = { OFFLINE_DEMO: '1', PLATFORM_INTERNAL_URL: undefined };
  expect(parse(alone)).toMatchObject({ offlineDemo: true, platformInternalUrl: '' });
  expect(() => parse({ OFFLINE_DEMO: '1' })).toThrow(
    'PLATFORM_INTERNAL_URL must not be set together with OFFLINE_DEMO=1.',
  );
  expect(() => parse({ PLATFORM_INTERNAL_URL: undefined })).toThrow(
    'PLATFORM_INTERNAL_URL is required: the address the platform gives this site for GET /user.',
  );
});
