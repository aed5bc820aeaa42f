/**
 * The manifest of a bundle: what an application displays, asks its user for and starts. A release test of the template builds
 * and starts the bundle.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { bundleManifest } from '../../scripts/shipping/bundle-manifest.ts';
import { describeSettings } from '../../src/env.ts';
import { flag } from '../../src/setting-values.ts';

const schemaFile = '@anthropic-ai/mcpb/mcpb-manifest-v0.3.schema.json';
const schema = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve(schemaFile), 'utf8'),
) as object;
const isValid = new Ajv({ validateFormats: false }).compile(schema);

const settings = z.object({
  ACME_KEY: z.string().describe('The key.').meta({ secret: true }),
  ACME_LIMIT: z.string().transform(Number).default(5).describe('The limit.'),
  ACME_REGION: z.string().optional().describe('The region.'),
});
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
const served = {
  title: 'Acme',
  hasToolsBySettings: false,
  tools: [{ name: 'acme_list_items', title: 'List items' }],
  prompts: [{}],
  settings: describeSettings(settings),
};
const made = bundleManifest(manifest, served);

test('it is valid by the format’s schema, and would not be without a server', () => {
  isValid(made);
  expect(isValid.errors).toBeNull();
  expect(isValid({ ...made, server: undefined })).toBe(false);
});

test('it lists the server and its tools, and declares that prompts are generated at run time', () => {
  expect(made).toMatchObject({
    name: 'acme-mcp',
    display_name: 'Acme',
    version: manifest.version,
    tools: [{ name: 'acme_list_items', description: 'List items' }],
    prompts_generated: true,
  });
});

test('a service whose tools depend on its settings says that there may be others', () => {
  expect(made).not.toHaveProperty('tools_generated');
  const bySettings = bundleManifest(manifest, { ...served, hasToolsBySettings: true });
  expect(bySettings).toMatchObject({ tools_generated: true, tools: served.tools.map(() => ({})) });
  isValid(bySettings);
  expect(isValid.errors).toBeNull();
});

test('a setting of 0 or 1 is a switch, whose true and false the server reads', () => {
  const { mcp_read_only: readOnly } = made.user_config;
  expect(readOnly).toMatchObject({ type: 'boolean', default: false });
  const parsed = ['true', 'false', '1', '0'].map((text) => flag.parse(text));
  expect(parsed).toEqual([true, false, true, false]);
});

test('it asks for each setting for stdio, marks secrets, and passes no placeholder for an omitted one [M28 M30]', () => {
  const text = (title: string, description: string) => ({ type: 'string', title, description });
  expect(made.user_config).toMatchObject({
    acme_key: { ...text('ACME_KEY', 'The key.'), required: true, sensitive: true },
    acme_limit: { ...text('ACME_LIMIT', 'The limit.'), required: false, default: '5' },
    acme_region: { ...text('ACME_REGION', 'The region.'), required: false, default: '' },
  });
  expect(made.user_config['acme_key']).not.toHaveProperty('default');
  expect(made.user_config).toHaveProperty('mcp_read_only');
  expect(made.user_config).not.toHaveProperty('mcp_port');
  const { env } = made.server.mcp_config;
  expect(env['ACME_KEY']).toBe('${user_config.acme_key}');
  expect(Object.keys(env).map((name) => name.toLowerCase())).toEqual(Object.keys(made.user_config));
});
