import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { parseSettings, readSettings } from './env.ts';

test('without settings the server is reachable from this machine only', () => {
  expect(parseSettings({ MCP_PORT: '', UNRELATED: 'x' })).toEqual({
    LOG_LEVEL: 'info',
    MCP_HOST: '127.0.0.1',
    MCP_PORT: 3333,
    MCP_ALLOWED_HOSTS: [],
    MCP_ALLOWED_ORIGINS: [],
    MCP_BEARER_TOKENS: new Map(),
    MCP_OAUTH_SCOPE: [],
    MCP_RATE_LIMIT: 600,
    MCP_MAX_BODY_BYTES: 1_048_576,
    MCP_READ_ONLY: false,
    MCP_TOOLS: [],
    MCP_DRAIN_SECONDS: 10,
    MCP_STATE_KEY: [],
    MCP_SESSIONS: false,
    MCP_SESSION_IDLE_SECONDS: 600,
    MCP_MAX_SESSIONS: 1_000,
  });
});

test('lists may be separated by commas or spaces', () => {
  const settings = parseSettings({
    MCP_ALLOWED_HOSTS: 'mcp.example.com, [::1]:8443',
    MCP_ALLOWED_ORIGINS: 'https://app.example/ http://localhost:6274',
    MCP_OAUTH_ISSUER: 'https://login.example/realm',
    MCP_OAUTH_AUDIENCE: 'https://mcp.example.com/mcp',
    MCP_OAUTH_SCOPE: 'read write',
    MCP_SESSIONS: '1',
  });
  expect(settings).toMatchObject({
    MCP_ALLOWED_HOSTS: ['mcp.example.com', '[::1]:8443'],
    MCP_ALLOWED_ORIGINS: ['https://app.example', 'http://localhost:6274'],
    MCP_OAUTH_SCOPE: ['read', 'write'],
    MCP_SESSIONS: true,
  });
});

test.each<[setting: string, value: string, read: unknown]>([
  ['MCP_ALLOWED_ORIGINS', 'https://site.example:443', ['https://site.example']],
  ['MCP_ALLOWED_ORIGINS', 'HTTP://Site.Example:80/', ['http://site.example']],
  ['MCP_ALLOWED_ORIGINS', 'https://b\u00fccher.example', ['https://xn--bcher-kva.example']],
  ['MCP_ALLOWED_ORIGINS', 'http://[0:0::1]:8080', ['http://[::1]:8080']],
  ['MCP_PUBLIC_URL', 'https://MCP.Example.com:443/', 'https://mcp.example.com'],
  ['MCP_PUBLIC_URL', 'https://b\u00fccher.example', 'https://xn--bcher-kva.example'],
  [
    'MCP_ALLOWED_HOSTS',
    'MCP.Example.com., b\u00fccher.example:08443',
    ['mcp.example.com', 'xn--bcher-kva.example:8443'],
  ],
  ['MCP_ALLOWED_HOSTS', '::1 [0:0::1]:8443 mcp_dev', ['[::1]', '[::1]:8443', 'mcp_dev']],
  ['MCP_HOST', 'LocalHost', 'localhost'],
  ['MCP_HOST', '[::1]', '::1'],
  ['MCP_HOST', '0:0:0:0:0:0:0:1', '::1'],
  ['MCP_HOST', 'fe80::1%eth0', 'fe80::1%eth0'],
  ['MCP_HOST', '0', '0.0.0.0'],
  ['MCP_HOST', '[fe80::1%eth0]', 'fe80::1%eth0'],
  ['MCP_PORT', '03333', 3333],
  ['MCP_TOOLS', ' people\n,projects ', ['people', 'projects']],
  ['LOG_LEVEL', 'INFO', 'info'],
  ['REDIS_URL', 'REDIS://cache.example', 'REDIS://cache.example'],
])('%s=%s is read as the same in another spelling', (name, value, read) => {
  expect(parseSettings({ [name]: value })).toMatchObject({ [name]: read });
});

test.each<[setting: string, value: string, reason: string]>([
  [
    'MCP_ALLOWED_ORIGINS',
    'https://app.example/path',
    'must be an origin alone, without user, path, query and fragment: https://app.example.',
  ],
  [
    'MCP_ALLOWED_ORIGINS',
    'https://user:secret@app.example',
    'must be an origin alone, without user, path, query and fragment.',
  ],
  [
    'MCP_ALLOWED_ORIGINS',
    'https://app.example.',
    'without a dot after the host: https://app.example.',
  ],
  ['MCP_ALLOWED_ORIGINS', 'https://app.example;x', 'must have a host of letters, digits, dots'],
  ['MCP_ALLOWED_ORIGINS', 'https://*.app.example', '* is not supported, write each origin.'],
  [
    'MCP_PUBLIC_URL',
    'https://mcp.example.com/mcp',
    'must be an origin alone, without user, path, query and fragment: https://mcp.example.com.',
  ],
  [
    'MCP_PUBLIC_URL',
    'mcp.example.com:443',
    'must be an http or https origin, such as https://app.example.',
  ],
  [
    'MCP_PUBLIC_URL',
    'https://mcp.example.:8443/mcp',
    'must be an origin alone, without user, path, query and fragment: https://mcp.example:8443.',
  ],
  ['MCP_PUBLIC_URL', 'https://.', 'must have a host of letters, digits, dots and hyphens.'],
  [
    'MCP_PUBLIC_URL',
    'https://mcp.example ',
    'must be an origin without spaces: https://mcp.example.',
  ],
  [
    'MCP_ALLOWED_HOSTS',
    'https://MCP.example.com:8443/mcp',
    'must list host names without http:// and path: mcp.example.com:8443.',
  ],
  ['MCP_ALLOWED_HOSTS', '*.example.com', 'with * is not supported, write each name.'],
  ['MCP_ALLOWED_HOSTS', 'mcp.example.com:99999', 'must list host names, such as mcp.example.com'],
  ...[
    '.',
    'https://.',
    'https://a;b',
    '..',
    'a..b',
    '.mcp.example',
    'mcp.example..',
    'mcp.example;x',
    "mcp.example'",
  ].map((value): [string, string, string] => [
    'MCP_ALLOWED_HOSTS',
    value,
    'must list host names, such as',
  ]),
  ['MCP_HOST', 'localhost:3333', 'its port is MCP_PORT.'],
  ['MCP_HOST', '[::1]:3333', 'its port is MCP_PORT.'],
  [
    'MCP_HOST',
    'http://0.0.0.0:3333',
    'alone, such as 0.0.0.0, without a scheme and path; its port is',
  ],
  ['MCP_HOST', '.', 'must be an address or a host name alone'],
  ['MCP_HOST', 'localhost;x', 'must be an address or a host name alone'],
  ['REDIS_URL', ' redis://cache.example', 'must have spaces and the characters'],
])('%s=%s is rejected with the reason and the right spelling', (name, value, reason) => {
  expect(() => parseSettings({ [name]: value })).toThrow(reason);
});

test.each(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])(
  'LOG_LEVEL may be %s, like the site’s',
  (LOG_LEVEL) => {
    expect(parseSettings({ LOG_LEVEL })).toMatchObject({ LOG_LEVEL });
  },
);

const oauth = { MCP_OAUTH_ISSUER: 'https://login.example', MCP_OAUTH_AUDIENCE: 'a' };

test('an issuer on this machine may use http', () => {
  for (const MCP_OAUTH_ISSUER of [
    'http://127.0.0.1:9000',
    'http://localhost:9000/realm',
    'http://[::1]',
  ]) {
    expect(parseSettings({ ...oauth, MCP_OAUTH_ISSUER })).toMatchObject({ MCP_OAUTH_ISSUER });
  }
});

test.each([
  ['LOG_LEVEL', 'loud'],
  ['MCP_HOST', 'http://x'],
  ['MCP_PORT', '65536'],
  ['MCP_PORT', '-1'],
  ['MCP_PORT', '1e3'],
  ['MCP_ALLOWED_HOSTS', 'https://mcp.example.com'],
  ['MCP_ALLOWED_ORIGINS', 'mcp.example.com'],
  ['MCP_ALLOWED_ORIGINS', '*'],
  ['MCP_ALLOWED_ORIGINS', 'https://app.example/path'],
  ['MCP_PUBLIC_URL', 'ftp://mcp.example.com'],
  ['MCP_BEARER_TOKEN', 'fifteen-letters'],
  ['MCP_BEARER_TOKEN', 'long enough, with spaces'],
  ['MCP_BEARER_TOKEN', 'long-enough-\u00e9l\u00e8ve-token'],
  ['MCP_OAUTH_ISSUER', 'not-a-url'],
  ['MCP_OAUTH_ISSUER', 'http://login.example'],
  ['MCP_OAUTH_ISSUER', 'http://127.evil.example'],
  ['MCP_OAUTH_ISSUER', 'https://user:pass@login.example'],
  ['MCP_OAUTH_ISSUER', 'https://:pass@login.example'],
  ['MCP_OAUTH_ISSUER', 'https://login.example/?a=b'],
  ['MCP_OAUTH_ISSUER', 'https://login.example/#a'],
  ['MCP_OAUTH_AUDIENCE', 'https://mcp.example.com/mcp'],
  ['MCP_OAUTH_SCOPE', 'read'],
  ['MCP_OAUTH_SCOPE', 'read "write"', oauth],
  ['MCP_OAUTH_SCOPE', 'read wr\u00eete', oauth],
  ['MCP_OAUTH_AUDIENCE', '', { MCP_OAUTH_ISSUER: 'https://login.example' }],
  [
    'MCP_BEARER_TOKEN',
    'x'.repeat(20),
    { MCP_OAUTH_ISSUER: 'https://login.example', MCP_OAUTH_AUDIENCE: 'a' },
  ],
  ['MCP_STATE_KEY', 'x'.repeat(31)],
  ['MCP_STATE_KEY', `${'x'.repeat(32)},short`],
  ['MCP_STATE_KEY', `${'x'.repeat(31)}\u00e9`],
  ['MCP_STATE_KEY', ['a', 'b', 'c'].map((letter) => letter.repeat(32)).join()],
  ['MCP_RATE_LIMIT', '0'],
  ['MCP_SESSIONS', 'yes'],
  ['MCP_SESSION_IDLE_SECONDS', '0'],
  ['MCP_SESSION_IDLE_SECONDS', '86401'],
  ['MCP_MAX_SESSIONS', '0'],
  ['REDIS_URL', 'localhost:6379'],
  ['REDIS_URL', 'redis:cache.example'],
  ['REDIS_URL', 'redis://:password@h:99999'],
  ['REDIS_URL', 'redis://['],
])(
  '%s=%s is rejected with one sentence that names the setting and does not repeat the value',
  (name, value, others?: Record<string, string>) => {
    const parse = () => parseSettings({ ...others, [name]: value });
    expect(parse).toThrow(new RegExp(`^${name} .+\\.$`));
    if (value.length > 2) expect(parse).not.toThrow(value);
  },
);

test('a missing or empty setting of the service is rejected by name', () => {
  const service = z.object({ PROBE_URL: z.string(), PROBE_TOKEN: z.string().optional() });
  for (const value of [undefined, '']) {
    vi.stubEnv('PROBE_URL', value);
    expect(() => readSettings(service)).toThrow(/^PROBE_URL is required\.$/);
  }
  vi.stubEnv('PROBE_URL', 'given');
  expect(readSettings(service).serviceSettings).toEqual({ PROBE_URL: 'given' });
  vi.unstubAllEnvs();
});

test('named tokens are mapped to their names, and duplicates are rejected [M31]', () => {
  const anna = 'annas-token-of-some-length==';
  const bert = 'berts-token-of-some-length';
  const { MCP_BEARER_TOKENS } = parseSettings({
    MCP_BEARER_TOKENS: `anna=${anna}, bert@example.com=${bert}`,
  });
  expect([...MCP_BEARER_TOKENS]).toEqual([
    ['anna', anna],
    ['bert@example.com', bert],
  ]);
  const refused: [string, RegExp][] = [
    [`anna=${anna} anna=${bert}`, /^MCP_BEARER_TOKENS must have each name and each token once\.$/],
    [`anna=${anna} bert=${anna}`, /each token once/],
    [anna, /^MCP_BEARER_TOKENS must list names/],
    ['anna=short', /must list names/],
  ];
  for (const [MCP_BEARER_TOKENS, words] of refused) {
    expect(() => parseSettings({ MCP_BEARER_TOKENS })).toThrow(words);
    expect(() => parseSettings({ MCP_BEARER_TOKENS })).not.toThrow(anna);
  }
  const both = { MCP_BEARER_TOKENS: `anna=${anna}`, MCP_BEARER_TOKEN: bert };
  expect(() => parseSettings(both)).toThrow(/together with MCP_BEARER_TOKEN/);
  expect(() => parseSettings({ ...oauth, MCP_BEARER_TOKENS: `anna=${anna}` })).toThrow(
    /together with MCP_OAUTH_ISSUER/,
  );
});
