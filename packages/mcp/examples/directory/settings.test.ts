import { expect, test } from 'vitest';
import { developmentToken, exampleSettings } from './settings.ts';

test('by default it is the service on this machine [M34]', () => {
  expect(exampleSettings.parse({})).toEqual({
    baseUrl: 'http://127.0.0.1:4010',
    token: developmentToken,
    timeoutMs: 30_000,
  });
});

test.each(['http://127.0.0.1:4010/', 'HTTP://127.0.0.1:4010'])(
  'the development token is that of %s, too: the same address in another spelling',
  (EXAMPLE_API_BASE_URL) => {
    expect(exampleSettings.parse({ EXAMPLE_API_BASE_URL }).token).toBe(developmentToken);
  },
);

test('the development token is sent to no other service [M31]', () => {
  const settings = exampleSettings.parse({ EXAMPLE_API_BASE_URL: 'https://api.example.com/v1' });
  expect(settings).toMatchObject({ baseUrl: 'https://api.example.com/v1', token: undefined });
});

test.each([
  ['EXAMPLE_API_BASE_URL', 'ftp://example.com'],
  ['EXAMPLE_API_BASE_URL', 'example.com'],
  ['EXAMPLE_API_BASE_URL', 'https://user:planted@example.com'],
  ['EXAMPLE_API_BASE_URL', 'https://example.com/?planted=1'],
  ['EXAMPLE_API_BASE_URL', 'https://example.com/#planted'],
  ['EXAMPLE_API_BASE_URL', 'https://example.com/?'],
  ['EXAMPLE_API_BASE_URL', 'https://example.com#'],
  ['EXAMPLE_API_BASE_URL', ' https://example.com'],
  ['EXAMPLE_API_BASE_URL', 'https:example.com'],
  ['EXAMPLE_API_BASE_URL', 'https://user:1234/planted@example.com'],
  ['EXAMPLE_API_TOKEN', ''],
  ['EXAMPLE_API_TOKEN', 'planted secret'],
  ['EXAMPLE_API_TOKEN', 'planted\nsecret'],
  ['EXAMPLE_API_TIMEOUT_MS', 'planted'],
  ['EXAMPLE_API_TIMEOUT_MS', '99'],
  ['EXAMPLE_API_TIMEOUT_MS', '0x1000'],
  ['EXAMPLE_API_TIMEOUT_MS', '1000.5'],
  ['EXAMPLE_API_TIMEOUT_MS', '600001'],
])('%s=%j is rejected with its name and without its value', (name, value) => {
  const { error } = exampleSettings.safeParse({ [name]: value });
  expect(error?.issues.map(({ path }) => path)).toEqual([[name]]);
  expect(JSON.stringify(error?.issues)).not.toContain('planted');
});

test('each setting can be configured', () => {
  const settings = exampleSettings.parse({
    EXAMPLE_API_BASE_URL: 'http://localhost:8080',
    EXAMPLE_API_TOKEN: 'own',
    EXAMPLE_API_TIMEOUT_MS: '600000',
  });
  expect(settings).toEqual({ baseUrl: 'http://localhost:8080', token: 'own', timeoutMs: 600_000 });
});
