/** Redirects to other sites: which are refused. `route-handlers.test.ts` shows that the server lets the others through. */
import { expect, test } from 'vitest';
import { externalRedirect } from './external-redirect.ts';

test.each([
  'https://evil.test/',
  'https://pay.example.evil.test/',
  'http://pay.example/',
  'https://pay.example:8443/',
  'https://user:secret@pay.example/',
  'javascript:alert(1)',
  '/pay',
  '',
])('externalRedirect rejects %s', (target) => {
  expect(() => externalRedirect(target, ['https://pay.example'])).toThrow(TypeError);
});

test.each(['https://Pay.example', 'https://pay.example:443', 'https://pay.example/'])(
  'the allowed origin %s is compared as browsers spell it',
  (allowed) => {
    const response = externalRedirect('https://PAY.example:443/checkout', [allowed]);
    expect(response.headers.get('location')).toBe('https://pay.example/checkout');
  },
);

test('an allowed origin with an international name is compared in punycode', () => {
  const response = externalRedirect('https://xn--bcher-kva.example/', ['https://bücher.example']);
  expect(response.headers.get('location')).toBe('https://xn--bcher-kva.example/');
});

test('a malformed allowed origin is refused with the right spelling', () => {
  expect(() => externalRedirect('https://pay.example/', ['https://pay.example/checkout'])).toThrow(
    'The allowed origin https://pay.example/checkout must be only https://pay.example.',
  );
});
