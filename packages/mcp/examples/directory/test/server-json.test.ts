/** `server.json` of the example is valid for the MCP registry. The test of an author's folder compares its own file. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { registryEntry } from '../../../scripts/shipping/registry-entry.ts';
import { describeSettings } from '../../../src/env.ts';
import service from '../service.ts';

const read = (file: string) =>
  JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')) as object;

/** The registry's own schema, from https://static.modelcontextprotocol.io/schemas/. */
const schema = read('../../../test/shipping/server.schema.json');
// Not strict: the schema has examples and names of Go types, which are not JSON Schema keywords. Formats are not
// validated, because addresses have patterns as well.
const isValid = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(schema);
const manifest = {
  name: '@acme/acme-mcp',
  mcpName: 'io.github.acme/acme-mcp',
  version: '1.2.3',
  description: 'Acme.',
  license: 'MIT',
  author: 'Acme',
  bin: { 'acme-mcp': 'dist/main.js' },
  engines: { node: '>=20.19.0' },
};
const described = describeSettings(service.settings);
const entry = registryEntry(manifest, described);

test('it is valid by the registry’s schema', () => {
  expect(entry.$schema).toBe((schema as { $id: string }).$id);
  isValid(entry);
  expect(isValid.errors).toBeNull();
});

test.each([
  ['a name without a namespace', { name: 'mcp-server' }],
  ['no version', { version: undefined }],
  ['a description that is too long', { description: 'a'.repeat(101) }],
  ['a package without a transport', { packages: [{ registryType: 'npm', identifier: 'a' }] }],
])('%s would not be valid', (_, more) => {
  expect(isValid(JSON.parse(JSON.stringify({ ...entry, ...more })))).toBe(false);
});

test('it has the names and the version of the package', () => {
  expect(entry).toMatchObject({
    name: manifest.mcpName,
    version: manifest.version,
    packages: [{ identifier: manifest.name }, { identifier: manifest.name }],
  });
});

test('it contains each setting, for stdio only those with an effect there [M28 M29]', () => {
  const [stdio = [], http = []] = entry.packages.map(({ environmentVariables }) =>
    environmentVariables.map(({ name }) => name),
  );
  expect(http).toEqual(described.map(({ name }) => name));
  expect(http).toEqual(expect.arrayContaining(stdio));
  expect(http.filter((name) => !stdio.includes(name))).toContain('MCP_PORT');
  expect(stdio).toContain('LOG_LEVEL');
});

test('settings whose names suggest a secret are marked as secret [M30]', () => {
  const sounds = described.filter(({ name }) => /TOKEN|KEY|SECRET|PASSWORD/.test(name));
  expect(sounds.length).toBeGreaterThan(2);
  expect(sounds.filter(({ isSecret }) => !isSecret)).toEqual([]);
});

test('it states whether a setting is required or secret, and its default', () => {
  const own = z.object({
    ACME_KEY: z.string().describe('The key.').meta({ secret: true }),
    ACME_LIMIT: z.string().transform(Number).default(5).describe('The limit.'),
    ACME_FLAG: z
      .enum(['0', '1'])
      .transform((value) => value === '1')
      .default(true)
      .describe('The flag.'),
    ACME_REGION: z.string().optional().describe('The region.'),
  });
  const [stdio] = registryEntry(manifest, describeSettings(own)).packages;
  expect(stdio?.environmentVariables.slice(0, 4)).toEqual([
    { name: 'ACME_KEY', description: 'The key.', isRequired: true, isSecret: true },
    { name: 'ACME_LIMIT', description: 'The limit.', default: '5' },
    { name: 'ACME_FLAG', description: 'The flag.', default: '1' },
    { name: 'ACME_REGION', description: 'The region.' },
  ]);
});
