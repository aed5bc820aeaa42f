import { expect, test } from 'vitest';
import { settings } from '../../starter/settings.ts';

test('by default it is the service on this machine [M34]', () => {
  expect(settings.parse({})).toEqual({
    EXAMPLE_API_BASE_URL: 'http://127.0.0.1:4010',
    EXAMPLE_API_TIMEOUT_MS: 30_000,
  });
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
  const { error } = settings.safeParse({ [name]: value });
  expect(error?.issues.map(({ path }) => path)).toEqual([[name]]);
  expect(JSON.stringify(error?.issues)).not.toContain('planted');
});

test('each setting can be configured', () => {
  const given = settings.parse({
    EXAMPLE_API_BASE_URL: 'http://localhost:8080',
    EXAMPLE_API_TOKEN: 'own',
    EXAMPLE_API_TIMEOUT_MS: '600000',
  });
  expect(given).toEqual({
    EXAMPLE_API_BASE_URL: 'http://localhost:8080',
    EXAMPLE_API_TOKEN: 'own',
    EXAMPLE_API_TIMEOUT_MS: 600_000,
  });
});
