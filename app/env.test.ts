/** The settings of the whole site, and the files that are written from their declarations. */
import { envExample, settingsPage } from '@gatehouse/server/settings';
import { expect, test } from 'vitest';
import { parseSiteEnv } from './env.server';
import * as groups from './settings.server';

const examples = envExample(groups).matchAll(/^(\w+)=(.*)$/gm);
const source = Object.fromEntries(
  [...examples, ['', 'NODE_ENV', 'development']].map(([, name = '', value = '']) => [name, value]),
);

test('the examples are accepted, and the settings frozen', () => {
  const env = parseSiteEnv(source);
  expect(env.siteOrigin).toBe('https://site.example');
  expect(Object.isFrozen(env)).toBe(true);
});

test('an empty setting counts as unset, and quotes, which Docker keeps, are told', () => {
  expect(parseSiteEnv({ ...source, PORT: '' })).toEqual(parseSiteEnv({ ...source, PORT: '3000' }));
  expect(() => parseSiteEnv({ ...source, PORT: '"80"' })).toThrow('PORT must not be in quotes.');
  expect(() => parseSiteEnv({ ...source, PORT: '"x"' })).toThrow('PORT must be a port number.');
});

test('.env.example and docs/settings.md list each setting: `npx vitest run app/env.test.ts -u` writes them', async () => {
  await expect(envExample(groups)).toMatchFileSnapshot('../.env.example');
  await expect(settingsPage(groups)).toMatchFileSnapshot('../docs/settings.md');
});
