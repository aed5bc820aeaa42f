/** The addresses of resources. */
import { expect, test } from 'vitest';
import { resourcePaths } from './resource-paths.ts';

const isResource = resourcePaths(['/feed.xml', '/webhooks/*', '/.well-known/security.txt']);

test.each([
  ...['/api', '/api/', '/api/user', '/API/x', '/%61pi/x'],
  ...['/feed.xml', '/feed.xml/', '/FEED.XML', '/%66eed%2Exml'],
  ...['/webhooks', '/webhooks/', '/webhooks/kiln', '/WebHooks/a/b', '/webhooks%2Fkiln'],
  '/.well-known/security.txt',
])('%s is a resource', (pathname) => {
  expect(isResource(pathname)).toBe(true);
});

test.each([
  ...['/', '/apiary', '/x/api', '/%E0%A4'],
  ...['/feedxxml', '/feed.xml/x', '/feed.xml.data', '/x/feed.xml', '/feed.xm'],
  ...['/webhooks.data', '/webhooksx', '/well-known/security.txt'],
])('%s is not', (pathname) => {
  expect(isResource(pathname)).toBe(false);
});

test.each([
  ...['', '/', '/*', 'feed.xml', '//feed.xml', '/feed.xml/', '/a/../feed.xml', '/./feed.xml'],
  ...['/:name', '/feed.xml?', '/feed.*', '/a/*/b', '/%61pi', '/(feed|api)', 'https://x.example/a'],
])('%j is not a path', (path) => {
  expect(() => resourcePaths([path])).toThrow(
    `\`resources\` of app/site.config.ts: ${path} is not a path`,
  );
});

test.each([
  ...['/api', '/api/*', '/API/feed', '/__auth/*', '/__AUTH/login', '/__auth', '/assets/*'],
  ...['/healthz', '/readyz', '/listing.data'],
])('%s is taken', (path) => {
  expect(() => resourcePaths([path])).toThrow('is reserved');
});
