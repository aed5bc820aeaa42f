/** The bundle, unpacked and started like in a desktop application: by its manifest and its user's settings. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getMcpConfigForManifest, unpackExtension } from '@anthropic-ai/mcpb';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  bundleName,
  type bundleManifest,
} from '../../../packages/mcp/scripts/shipping/bundle-manifest.ts';
import { readPackageManifest } from '../../../packages/mcp/scripts/shipping/manifest.ts';
import { run } from './copied-folder.ts';
import { expectResponses, overStdio } from './installed-program.ts';

const copy = inject('copiedFolder');
const manifest = readPackageManifest(copy);
let place = '';
let described: ReturnType<typeof bundleManifest>;

beforeAll(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'unpacked-'));
  await run('npm', ['run', 'ship'], copy);
  const mcpbPath = path.join(copy, 'ship', `${bundleName(manifest)}.mcpb`);
  expect(await unpackExtension({ mcpbPath, outputDir: place, silent: true })).toBe(true);
  described = JSON.parse(
    await readFile(path.join(place, 'manifest.json'), 'utf8'),
  ) as typeof described;
});
afterAll(() => rm(place, { recursive: true, force: true }));

/** Starts it like an application whose user provided only these settings. */
async function started(userConfig: Record<string, string>) {
  const config = await getMcpConfigForManifest({
    manifest: described as Parameters<typeof getMcpConfigForManifest>[0]['manifest'],
    extensionPath: place,
    systemDirs: {},
    userConfig,
    pathSeparator: path.sep,
  });
  if (!config) throw new Error('A setting is required.');
  const { command, args = [], env = {} } = config;
  return { command, args, env };
}

/** The settings that the service requires, from this environment. */
const required = () =>
  Object.fromEntries(
    Object.entries(described.user_config)
      .filter(([, setting]) => setting.required)
      .map(([key, { title }]) => [key, process.env[title] ?? '']),
  );

test('a client that starts it by its manifest gets responses, with the tools that the manifest lists [M28]', async () => {
  const client = await overStdio(await started(required()));
  await expectResponses(client, manifest.version);
  const { tools } = await client.listTools();
  expect(described.tools).toEqual(
    tools.map(({ name, title }) => ({ name, description: title ?? '' })),
  );
});

test('it has no tests, no sources and no types of its dependencies', async () => {
  const files = await readdir(place, { recursive: true });
  expect(files).toContain('dist/main.js');
  expect(files.filter((file) => /\.(d\.)?[cm]?ts$|\.test\.|\.map$/.test(file))).toEqual([]);
});

test('the user’s settings are passed to the server', async () => {
  const { env } = await started({ ...required(), mcp_read_only: 'true', log_level: 'silent' });
  expect(env).toMatchObject({ MCP_READ_ONLY: 'true', LOG_LEVEL: 'silent' });
  expect(Object.values(env).filter((value) => value.includes('${'))).toEqual([]);
  const client = await overStdio(await started({ ...required(), mcp_read_only: '1' }));
  const { tools } = await client.listTools();
  expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([]);
});
