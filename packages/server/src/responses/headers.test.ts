import { expect, test } from 'vitest';
import { headersFor } from './headers.ts';

const env = {
  mode: 'production' as const,
  siteOrigin: 'https://site.example',
  frameAncestors: ["'self'", 'https://platform.example'],
};

/** A policy as a map from directive to sources. */
function policyOf(headers: Record<string, string>): Record<string, string> {
  const directives = (headers['content-security-policy'] ?? '').split('; ');
  return Object.fromEntries(
    directives.map((text) => [text.split(' ', 1)[0], text.slice(text.indexOf(' ') + 1)]),
  ) as Record<string, string>;
}

test('a page can be framed only by the platform, runs only its own scripts, and is never cached', () => {
  const headers = headersFor({ kind: 'page', env, nonce: 'n0nce' });
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cache-control': 'private, no-store',
  });
  expect(policyOf(headers)).toEqual({
    'default-src': "'self'",
    'script-src': "'self' 'nonce-n0nce'",
    'style-src': "'self' 'nonce-n0nce'",
    'connect-src': "'self'",
    'img-src': "'self' blob: data:",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-src': "'none'",
    'frame-ancestors': "'self' https://platform.example",
  });
});

test('a page may use only its own sources and those that the site names', () => {
  const contentSources = {
    'frame-src': ['https://video.example'],
    'img-src': ['https://images.example', 'https://more.example'],
    'media-src': ['https://media.example'],
  };
  const named = { ...env, contentSources };
  expect(policyOf(headersFor({ kind: 'page', env: named, nonce: 'n0nce' }))).toMatchObject({
    'connect-src': "'self'",
    'frame-src': 'https://video.example',
    'img-src': "'self' blob: data: https://images.example https://more.example",
    'media-src': "'self' https://media.example",
  });
  const resource = headersFor({ kind: 'resource', env: named })['content-security-policy'];
  expect(resource).not.toContain('images.example');
});

test('a resource opened directly is inert, not sniffed, and never cached', () => {
  expect(headersFor({ kind: 'resource', env })).toEqual({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'content-security-policy':
      "default-src 'none'; sandbox; frame-ancestors 'self' https://platform.example",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-store',
  });
});

test('an asset’s headers leave caching to its server', () => {
  expect(headersFor({ kind: 'asset', env })).toEqual({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-resource-policy': 'same-origin',
  });
});

test.each(['page', 'resource', 'asset'] as const)(
  'a %s never has x-frame-options, which would block the site’s own frame',
  (kind) => {
    expect(headersFor({ kind, env, nonce: 'n' })).not.toHaveProperty('x-frame-options');
  },
);

test('inline scripts and styles are never allowed, in any mode', () => {
  for (const mode of ['production', 'development', 'test'] as const) {
    for (const nonce of ['n', undefined]) {
      const policy = policyOf(headersFor({ kind: 'page', env: { ...env, mode }, nonce }));
      const sources = `${policy['script-src']} ${policy['style-src']}`;
      expect(sources).not.toMatch(/unsafe|\*|https?:|data:/);
    }
  }
});

test('development has production’s policy, plus the WebSocket of Vite’s client', () => {
  const policy = (mode: 'development' | 'production') =>
    policyOf(headersFor({ kind: 'page', env: { ...env, mode }, nonce: 'n' }));
  expect(policy('development')).toEqual({
    ...policy('production'),
    'connect-src': "'self' wss://site.example",
  });
});

test('only a style with the given digest is allowed', () => {
  const headers = headersFor({ kind: 'page', env, nonce: 'n', styleHash: 'sha256-abc=' });
  expect(policyOf(headers)['style-src']).toBe("'self' 'nonce-n' 'sha256-abc='");
});
