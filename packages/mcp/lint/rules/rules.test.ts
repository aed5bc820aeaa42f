/** Lint rules that report mistakes in a service. */
import path from 'node:path';
import { ESLint, RuleTester, type Rule } from 'eslint';
import tseslint from 'typescript-eslint';
import { describe, expect, it, test } from 'vitest';
import { mcpPackageConfig, mcpServerConfig } from '../config.js';
import boundedErrorText from './bounded-error-text.js';
import noSecretInput from './no-secret-input.js';

RuleTester.describe = describe;
RuleTester.it = it;

const tester = new RuleTester({ languageOptions: { parser: tseslint.parser } });

function phrasings(
  title: string,
  rule: Rule.RuleModule,
  reported: Record<string, string[]>,
  honest: string[],
) {
  tester.run(title, rule, {
    valid: honest.map((code) => ({ code })),
    invalid: Object.entries(reported).flatMap(([messageId, codes]) =>
      codes.map((code) => ({ code, errors: [{ messageId }] })),
    ),
  });
}

phrasings(
  '[M05 M32] text of the service in a ToolError',
  boundedErrorText,
  {
    text: [
      'throw new ToolError(response.message);',
      'throw new ToolError(`The service said ${response.message}`);',
      "throw new ToolError('It said: ' + error.message);",
      'throw new ToolError(String(error));',
      'throw new ToolError(JSON.stringify(response));',
      'const text = response.error; throw new ToolError(text);',
      "throw new ToolError(`No such team. Teams: ${teams.map(({ name }) => name).join(', ')}.`);",
      "throw new ToolError(response.reason ?? 'It failed.');",
      'let text = `a`; text = response.text; throw new ToolError(text);',
      'throw new ToolError(oneLine(response.message));',
      'throw new ToolError(`Teams: ${names.map(oneLine).join()}`);',
      'throw new ToolError(quote(response.message));',
      'throw new ToolError(fence(response.message));',
      'throw new ToolError(`It ends at ${humanTime(response.end)}`);',
      'throw new ToolError(echo(response.message));',
    ],
  },
  [
    "throw new ToolError('There is no such team.');",
    'throw new ToolError(`There is no team ${oneLine(wanted, 100)}.`);',
    "throw new ToolError('No team ' + oneLine(name, 50));",
    "const names = teams.map(({ name }) => oneLine(name, 50)); throw new ToolError(`Teams: ${names.join(', ')}.`);",
    "const noun = many ? 'teams' : 'team'; throw new ToolError(`No ${noun}.`);",
    'throw new TypeError(response.message);',
    'const longest = 100; throw new ToolError(oneLine(response.message, longest));',
    'throw new ToolError(`It ends at ${humanTime(oneLine(response.end, 40))}`);',
  ],
);

phrasings(
  '[M30] a secret that a model would see',
  noSecretInput,
  {
    field: [
      'tool({ input: z.strictObject({ password: z.string().trim() }) });',
      'tool({ input: z.strictObject({ api_key: z.string().trim() }) });',
      "tool({ input: z.strictObject({ 'access_token': z.string().trim() }) });",
      'const input = z.strictObject({ token: z.string().trim() }); tool({ input });',
      'const account = { a: z.strictObject({ client_secret: z.string() }) }; tool({ input: account.a });',
      'const base = z.strictObject({}); tool({ input: base.extend({ personal_token: z.string() }) });',
      'tool({ input: z.strictObject({ userPassword: z.string() }) });',
      'tool({ input: z.strictObject({ apiToken: z.string() }) });',
      'tool({ input: z.strictObject({ github_pat: z.string() }) });',
      'tool({ input: z.strictObject({ signingKey: z.string() }) });',
    ],
    form: [
      "await context.elicit('Your password', 'text');",
      "const { elicit } = context; await elicit('Paste your API key', 'text');",
      'await context.elicit(`The token of ${name}`, kind);',
      "const question = 'Your password'; await context.elicit(question, 'text');",
      "const what = 'API key'; await context.elicit(`Paste your ${what}`, 'text');",
      "const { elicit: ask } = context; await ask('Your password', 'text');",
      "await context.elicit('Sign in', { fields: { name: { type: 'text' }, api_key: { type: 'text' } } });",
    ],
  },
  [
    "await context.elicit('Your personal API token', 'password');",
    "await context.elicit('How many days?', 'number');",
    "await context.elicit('Book', { fields: { days: { type: 'number', title: 'Days' } } });",
    "await context.elicit('Revoke the token?', 'boolean');",
    "await context.elicit('When does the password expire?', 'date');",
    "await context.elicit('Which token?', { choice: ['read', 'write'] });",
    'tool({ input: z.strictObject({ nextPageToken: z.string(), sync_token: z.string() }) });',
    'tool({ input: z.strictObject({ page_token: z.string(), token_count: z.int() }) });',
    'const upstreamAccount = z.object({ token: z.string() });',
    'tool({ input: z.strictObject({ query: z.string().describe("A password policy to look up.") }) });',
  ],
);

/** Returns the messages of the complete configuration for a file of a service, except those of typed rules. */
async function messagesOf(
  code: string,
  filePath = 'tools/one.ts',
  config = mcpServerConfig(),
): Promise<string[]> {
  const eslint = new ESLint({
    cwd: path.join(import.meta.dirname, '../..'),
    overrideConfigFile: true,
    baseConfig: [
      {
        files: ['**/*.ts'],
        languageOptions: { parser: tseslint.parser },
        plugins: { '@typescript-eslint': tseslint.plugin },
      },
      {
        // As in the configurations of this folder and of a site.
        rules: { 'no-restricted-properties': ['error', { object: 'process', property: 'env' }] },
      },
      ...config.map(({ rules = {}, ...entry }) => ({
        ...entry,
        rules: Object.fromEntries(
          Object.entries(rules).filter(([name]) => !name.startsWith('import-x/')),
        ),
      })),
    ],
  });
  const [result] = await eslint.lintText(code, { filePath });
  return (result?.messages ?? []).map(({ message }) => message);
}

test.each([
  "await fetch('https://acme.example');",
  "await globalThis.fetch('https://acme.example');",
  'const { fetch: ask } = globalThis; ask("x");',
  'const ask = fetch; ask("x");',
  "import { request } from 'undici'; request('x');",
  "const { request } = await import('undici'); request('x');",
  "import http from 'node:http'; http.get('x');",
  "export { get } from 'https';",
  "new WebSocket('wss://acme.example');",
  "await global.fetch('https://acme.example');",
  'const { request } = await import(`undici`); request(1);',
])(
  '[M05 M18] a service with its own network access is referred to the upstream client: %s',
  async (code) => {
    expect(await messagesOf(code)).toEqual([expect.stringContaining('Call the service only')]);
  },
);

test.each([
  "import { readFile } from 'node:fs/promises'; readFile('x');",
  "import fs from 'fs'; fs.readFileSync('x');",
  "const { readFile } = await import('node:fs/promises'); readFile('x');",
  "import { exec } from 'node:child_process'; exec('x');",
  "const fs = process.getBuiltinModule('node:fs'); fs.readFileSync('x');",
  "import { DatabaseSync } from 'node:sqlite'; new DatabaseSync('x');",
  "import { Worker } from 'node:worker_threads'; new Worker('x');",
  'const { readFile } = await import(`node:fs/promises`); readFile(1);',
])('[M19 M20] a service that reads files is referred to its upstream: %s', async (code) => {
  expect(await messagesOf(code)).toEqual([expect.stringContaining('Do not use files')]);
});

test.each([
  'export const key = process.env.ACME_KEY;',
  "import { env } from 'node:process'; export const key = env.ACME_KEY;",
  "import process from 'process'; export const key = process.env.ACME_KEY;",
])('[M19] a service that reads the environment is referred to its settings: %s', async (code) => {
  expect(await messagesOf(code)).toContainEqual(expect.stringContaining('settings.ts'));
});

test.each([
  "console.log('here');",
  "const { warn } = console; warn('here');",
  "globalThis.console.error('here');",
  "process.stdout.write('here');",
  "import { log } from 'node:console'; log('here');",
])('[M22] a service that prints is referred to the log: %s', async (code) => {
  expect(await messagesOf(code)).toEqual([expect.stringContaining('context.logInfo')]);
});

test('a tool’s configuration may read the environment, as may src/env.ts, and no other module of the package', async () => {
  const code = 'export const isCi = process.env.CI !== undefined;';
  const ofPackage = mcpPackageConfig('');
  expect(await messagesOf(code, 'vitest.config.ts', ofPackage)).toEqual([]);
  expect(await messagesOf(code, 'src/env.ts', ofPackage)).toEqual([]);
  expect(await messagesOf(code, 'src/telemetry.ts', ofPackage)).toHaveLength(1);
});

test.each([
  ['tools/one.ts', mcpServerConfig()],
  ['examples/acme/tools/one.ts', mcpPackageConfig('')],
  ['src/core/one.ts', mcpPackageConfig('')],
  ['src/transports/http/one.ts', mcpPackageConfig('')],
])('[M26] only adapters import the SDK, not %s', async (file, config) => {
  const code =
    "import { Client } from '@modelcontextprotocol/sdk/client/index.js'; new Client({});";
  expect(await messagesOf(code, file, config)).toEqual([expect.stringContaining('Only adapters')]);
});

test('[M05] the types of a client may be imported', async () => {
  expect(
    await messagesOf("import type { Dispatcher } from 'undici'; export type D = Dispatcher;"),
  ).toEqual([]);
});

test('[M05] a service that uses the core has no lint errors', async () => {
  const code =
    "import { setTimeout as wait } from 'node:timers/promises';\nexport const later = async (context: { upstream: { request(path: string): unknown } }) => { await wait(1); return context.upstream.request('/x'); };";
  expect(await messagesOf(code)).toEqual([]);
});
