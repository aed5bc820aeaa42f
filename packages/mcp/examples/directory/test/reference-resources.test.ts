import type { ServerResponse } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { againstUpstream, startExample } from './directory-double.ts';
import { json, startUpstreamDouble } from '@gatehouse/mcp/testing/upstream-double';
import { errorText } from '@gatehouse/mcp';
import { documents, settingValues as settings } from '../../starter/resources/documents.ts';

const real = await startExample();
afterAll(() => real.close());

async function textOf(reading: Promise<string>): Promise<string> {
  return reading.catch(errorText);
}

test('returns a document’s text, whatever characters its name contains [M19]', async () => {
  const read = (name: string) => documents.read({ name }, real.context());
  expect(await read('handbook.md')).toMatch(/^# Handbook\n/);
  expect(await read('résumé-guide.md')).toMatch(/^# Résumés\n/);
  expect(await read('security policy.txt')).toContain('Security team');
});

test.each(['none.md', '', '.', '..', '../settings/locale', '..%2fsettings', 'a\0b', '/etc/passwd'])(
  'a missing document is not found, and no name escapes the folder: %j [M19 M32]',
  async (name) => {
    const text = await textOf(documents.read({ name }, real.context()));
    expect(text).toBe('Error: Resource not found. Please check the ID is correct.');
  },
);

test('a restricted document is rejected [M19 M32]', async () => {
  const text = await textOf(documents.read({ name: 'salaries.csv' }, real.context()));
  expect(text).toBe("Error: Permission denied. You don't have access to this resource.");
});

test('documents are listed, each with a URI that can be read [M19]', async () => {
  const listed = (await documents.list?.(real.context())) ?? [];
  expect(listed).toContainEqual({
    uri: 'file://documents/r%C3%A9sum%C3%A9-guide.md',
    name: 'résumé-guide.md',
    title: 'How to write a résumé',
  });
  expect(listed.map(({ name }) => name)).not.toContain('salaries.csv');
});

test('the start of a name or key is completed [M19 M20]', async () => {
  const context = real.context();
  expect(await documents.complete?.('name', 'on', context)).toEqual(['onboarding.md']);
  expect(await settings.complete?.('key', 'ex', context)).toEqual(['export']);
  expect(await settings.complete?.('key', 'nothing', context)).toEqual([]);
});

test('returns a setting as JSON text [M20]', async () => {
  const read = async (key: string): Promise<unknown> =>
    JSON.parse(await settings.read({ key }, real.context()));
  expect(await read('locale')).toBe('en');
  expect(await read('working_hours')).toEqual({ from: '10:00', until: '15:00', time_zone: 'UTC' });
});

test.each(['none', '', '..', '__proto__', '../users/usr_0001'])(
  'a missing setting is an empty object: %j [M20]',
  async (key) => {
    expect(await settings.read({ key }, real.context())).toBe('{}');
  },
);

test.each([json(null), (response: ServerResponse) => response.writeHead(204).end()])(
  'a setting without a value is an empty object [M20]',
  async (reply) => {
    const upstream = await startUpstreamDouble();
    const double = await againstUpstream(upstream.url);
    upstream.reply(reply);
    expect(await settings.read({ key: 'locale' }, double.context())).toBe('{}');
    await double.close();
    await upstream.close();
  },
);

test('a setting that could not be requested is an error, not a missing setting [M20 M33]', async () => {
  const upstream = await startUpstreamDouble();
  const double = await againstUpstream(upstream.url);
  upstream.reply(json({}, 500));
  const text = await textOf(settings.read({ key: 'locale' }, double.context()));
  expect(text).toBe('Error: API request failed with status 500');
  await double.close();
  await upstream.close();
});
