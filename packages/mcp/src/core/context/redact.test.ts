import { expect, test } from 'vitest';
import { redact, redactText } from './redact.ts';

test.each([
  ...[
    'token',
    'access_token',
    'refreshToken',
    'API_KEY',
    'api-key',
    'x-api-key',
    'apiKey',
    'apikey',
  ],
  ...[
    'password',
    'Passwd',
    'passphrase',
    'secret',
    'client_secret',
    'Authorization',
    'authorisation',
  ],
  ...[
    'cookie',
    'Set-Cookie',
    'credentials',
    'private_key',
    'accessKeyId',
    'sessionId',
    'auth',
    'pwd',
    'jwt',
  ],
])('[M22] the value of %s is redacted', (name) => {
  const planted = { a: [{ [name]: { deep: 'planted-value' } }], [name]: 'planted-value' };
  const safe = JSON.stringify(redact(planted));
  expect(safe).not.toContain('planted-value');
  expect(safe).toContain('[redacted]');
  expect(JSON.stringify(redact(new Map([[name, 'planted-value']])))).not.toContain('planted-value');
  const error = Object.assign(new Error('x'), { [name]: 'planted-value' });
  expect(JSON.stringify(redact({ error }))).not.toContain('planted-value');
});

test.each(['author', 'count', 'keyboard', 'message', 'monkey', 'authors', 'passed', 'id'])(
  'the value of %s is kept',
  (name) => {
    expect(redact({ [name]: 'seen' })).toEqual({ [name]: 'seen' });
  },
);

test('a number of tokens is kept, and a number that is a password is not', () => {
  const safe = redact({ maxTokens: 4_000, token_count: 7, password: 123_456, tokens: 'planted' });
  expect(safe).toEqual({
    maxTokens: 4_000,
    token_count: 7,
    password: '[redacted]',
    tokens: '[redacted]',
  });
});

test('an absent secret stays visible as absent', () => {
  expect(redact({ token: null, secret: undefined })).toEqual({ token: null, secret: undefined });
});

test.each([
  ['Authorization: Bearer planted-value', 'Authorization: Bearer [redacted]'],
  ['basic cGxhbnRlZA==, then', 'basic [redacted], then'],
  ['GET https://ada:planted-value@example.com/x', 'GET https://[redacted]@example.com/x'],
  ['/x?access_token=planted-value&a=1', '/x?access_token=[redacted]&a=1'],
  ['password: "planted-value", a', 'password: "[redacted]", a'],
  ['{"api_key":"planted-value"}', '{"api_key":"[redacted]"}'],
  [String.raw`"{\"api_key\": \"planted-value\"}"`, String.raw`"{\"api_key\": \"[redacted]\"}"`],
  ['Authorization: Digest username="planted-value", uri="x"', 'Authorization: [redacted]'],
  ['{"authorization":"Digest planted-value","a":1}', '{"authorization": [redacted],"a":1}'],
  ['Cookie: a=planted-value; b=planted-value', 'Cookie: [redacted]'],
  ['session_id=planted-value, then', 'session_id=[redacted], then'],
  ['passphrase: planted-value', 'passphrase: [redacted]'],
  [
    'access_key_id=planted-value&private-key=planted-value',
    'access_key_id=[redacted]&private-key=[redacted]',
  ],
  ['pwd=planted-value jwt=planted-value', 'pwd=[redacted] jwt=[redacted]'],
  ['author: Ada, keyboard: new', 'author: Ada, keyboard: new'],
  ['max_tokens=100', 'max_tokens=100'],
  ['The token has expired', 'The token has expired'],
  ['mail ada@example.com', 'mail ada@example.com'],
])('[M22] the text %j becomes %j', (text, safe) => {
  expect(redactText(text)).toBe(safe);
  expect(redact([text])).toEqual([safe]);
});

test('[M22] cycles, depth, number and length are bounded', () => {
  const circle: Record<string, unknown> = { name: 'a' };
  circle.self = circle;
  circle.list = [circle];
  expect(redact(circle)).toEqual({ name: 'a', self: '[circular]', list: ['[circular]'] });
  const twice = { x: 1 };
  expect(redact([twice, twice])).toEqual([{ x: 1 }, { x: 1 }]);

  const deep: unknown = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000));
  expect(JSON.stringify(redact(deep))).toBe('[[[[[["[too deep]"]]]]]]');

  const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 1]));
  expect(JSON.stringify(redact(wide)).length).toBeLessThan(10_000);
  expect(JSON.stringify(redact(Array(1_000_000).fill('x'))).length).toBeLessThan(10_000);
  expect(JSON.stringify(redact({ wide, again: wide })).length).toBeLessThan(10_000);

  expect((redact('x'.repeat(1_000_000)) as string).length).toBe(2_001);
  expect(JSON.stringify(redact({ ['k'.repeat(1_000_000)]: 1 })).length).toBeLessThan(200);
});

test('[M22] any value can be logged', () => {
  const hostile = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('no');
      },
    },
  );
  const getter = {
    get x(): never {
      throw new Error('no');
    },
  };
  const own = Object.defineProperty({}, '__proto__', { value: { a: 1 }, enumerable: true });
  expect(
    redact({
      ...{ hostile, getter, own, big: 10n, nan: NaN, none: null, yes: true },
      ...{ call: () => 1, sign: Symbol('x'), bytes: Buffer.from('secret'), set: new Set([1]) },
      ...{ at: new Date(0), never: new Date(NaN), url: new URL('https://a:b@example.com/') },
      ...{
        map: new Map<unknown, unknown>([
          ['a', 1],
          [{}, 2],
        ]),
        bare: Object.assign(Object.create(null) as object, { a: 1 }),
      },
    }),
  ).toEqual({
    ...{ hostile: '[unreadable]', getter: '[unreadable]', big: '10', nan: 'NaN', none: null },
    ...{ own: Object.defineProperty({}, '__proto__', { value: { a: 1 }, enumerable: true }) },
    ...{ yes: true, call: '[function]', sign: '[symbol]', bytes: '[6 bytes]', set: [1] },
    ...{ at: '1970-01-01T00:00:00.000Z', never: null, url: 'https://[redacted]@example.com/' },
    ...{ map: { a: 1, '[object]': 2 }, bare: { a: 1 } },
  });
});

test('[M22] an error keeps its stack in the server’s own log only', () => {
  const error = new RangeError('out', { cause: new Error('Bearer planted-value') });
  const public_ = redact({ error }) as { error: Record<string, unknown> };
  expect(public_.error).toEqual({
    type: 'RangeError',
    message: 'out',
    cause: { type: 'Error', message: 'Bearer [redacted]' },
  });
  const own = JSON.stringify(redact({ error }, { stack: true }));
  expect(own).toContain('redact.test.ts');
  expect(own).not.toContain('planted-value');
});
