/** Malformed values: which reason the operator reads, and that it has no part of a secret. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeSettings, parseSettings, settingProblems } from './env.ts';

test.each<[setting: string, value: string]>([
  ...['/s3cret@', '?s3cret@', '#s3cret@', '/,s3cret@', '/ s3cret@'].flatMap(
    (end): [string, string][] => [
      ['MCP_ALLOWED_HOSTS', `https://admin:1234${end}mcp.example`],
      ['MCP_ALLOWED_ORIGINS', `https://admin:1234${end}app.example`],
      ['MCP_ALLOWED_ORIGINS', `https://app.example/mcp, https://admin:1234${end}app.example`],
      ['MCP_PUBLIC_URL', `https://admin:1234${end}mcp.example`],
      ['REDIS_URL', `redis://admin:1234${end}cache.example`],
      ['MCP_OAUTH_ISSUER', `https://admin:1234${end}login.example`],
    ],
  ),
  ['MCP_HOST', 'admin:1234/s3cret@mcp.example'],
  ['MCP_PORT', 'https://admin:1234@mcp.example'],
])('%s=%s is rejected without a part of the password', (name, value) => {
  expect(() => parseSettings({ MCP_OAUTH_AUDIENCE: 'a', [name]: value })).toThrow(name);
  for (const problem of settingProblems(z.object({}), { [name]: value })) {
    expect(problem).not.toMatch(/admin|1234|s3cret/);
  }
});

test.each<[value: string, reason: string]>([
  ['https://login.example/#', 'must be an https URL without a fragment'],
  ['https://login.example/?', 'must be an https URL without a query'],
  ['https://login.example?a=b#c', 'must be an https URL without a query or a fragment'],
  [' https://login.example', 'must be an https URL without spaces'],
  ['https://login.example/a realm', 'must be an https URL without spaces'],
  ['https://login.example\\realm', 'must be an https URL without a backslash'],
  ['https://user@login.example', 'must be an https URL without a user'],
  ['http://login.example', 'must be an https URL, such as https://login.example; http is for'],
  ['https:login.example', 'must be an https URL, such as https://login.example.'],
])('MCP_OAUTH_ISSUER=%s is rejected with its own reason', (MCP_OAUTH_ISSUER, reason) => {
  expect(() => parseSettings({ MCP_OAUTH_AUDIENCE: 'a', MCP_OAUTH_ISSUER })).toThrow(reason);
});

const numeric = [
  'MCP_PORT',
  'MCP_RATE_LIMIT',
  'MCP_MAX_BODY_BYTES',
  'MCP_SESSION_IDLE_SECONDS',
  'MCP_MAX_SESSIONS',
];

test.each(numeric)('%s must be digits', (name) => {
  for (const value of [' ', '1e3', '0x800', '+5', '-5', '5.0', '2048 ', '1_000', '\u0665']) {
    expect(() => parseSettings({ [name]: value })).toThrow(`${name} must be a whole number from`);
  }
});

test('a value in quotes, as Docker reads an --env-file, is rejected for each setting', () => {
  const service = z.object({ PROBE_URL: z.string() }).transform((given) => given);
  for (const { name } of describeSettings(service)) {
    for (const value of ['"0"', "'https://mcp.example'", `"${'x'.repeat(40)}"`]) {
      const problems = settingProblems(service, { PROBE_URL: 'x', [name]: value });
      expect(problems).toContain(`${name} must not be in quotes.`);
      expect(problems.filter((problem) => problem.startsWith(name))).toHaveLength(1);
    }
  }
  const entries: [setting: string, value: string][] = [
    ['MCP_ALLOWED_HOSTS', '"a.example", b.example'],
    ['MCP_TOOLS', "people 'projects'"],
  ];
  for (const [name, value] of entries) {
    expect(() => parseSettings({ [name]: value })).toThrow(
      `${name} must have no entries in quotes.`,
    );
  }
  expect(() => parseSettings({ MCP_BEARER_TOKENS: 'anna="0123456789abcdef"' })).toThrow(
    'MCP_BEARER_TOKENS must have no tokens in quotes.',
  );
});

test('a blank value is rejected: a list without entries would restrict nothing', () => {
  for (const { name } of describeSettings(z.object({}))) {
    for (const blank of [' ', '\t', ...(name === 'MCP_TOOLS' ? [' , '] : [])]) {
      const problems = settingProblems(z.object({}), { [name]: blank });
      expect(problems.join('\n')).toContain(`${name} must`);
    }
  }
});
