/** Runs the Dockerfile's steps in empty folders, and checks the result like a hosting platform. */
import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { readPackageManifest } from '../../../packages/mcp/scripts/shipping/manifest.ts';
import { runDockerfile, type Image, type Stage } from '../../deploy/dockerfile-steps.ts';
import { expectResponses, overHttp } from './installed-program.ts';

const run = promisify(execFile);
const token = { MCP_BEARER_TOKEN: 'a-token-of-this-test-alone' };
const copy = inject('copiedFolder');
const shipped = new URL('../../../packages/mcp/scripts/shipping/', import.meta.url);
let image: Image;
let final: Stage;

beforeAll(async () => {
  const [file, ignore] = ['Dockerfile', 'Dockerfile.dockerignore'];
  for (const name of [file, ignore])
    await cp(new URL(name, shipped), path.join(copy, 'ship', name));
  image = await runDockerfile(copy, `ship/${file}`, `ship/${ignore}`);
  const stage = image.stages.get('final');
  if (!stage) throw new Error('There is no last stage.');
  final = stage;
});
afterAll(() => image.remove());

/** Starts it like a container: its CMD in its working directory. */
function container() {
  const [command = '', program = '', ...flags] = image.command;
  expect([command, flags]).toEqual(['node', ['--http']]);
  const file = path.join(final.folder, final.workdir, program);
  return { command: process.execPath, args: [file], env: final.env };
}

test('it does not run as root, and node receives SIGTERM directly', () => {
  expect(image.base).toBe('node:24-slim');
  expect([undefined, 'root', '0']).not.toContain(image.user);
  expect(image.command[0]).toBe('node');
});

test('it contains the program and its dependencies, but no sources, tests or development tools', () => {
  const holds = (stage: Stage | undefined, file: string) =>
    existsSync(path.join(stage?.folder ?? '', stage?.workdir ?? '', file));
  const built = image.stages.get('build');
  for (const file of ['.env', 'test', 'bench', 'src/env.test.ts']) {
    expect([file, holds(built, file)]).toEqual([file, false]);
  }
  for (const file of [
    'src',
    'node_modules/vitest',
    'node_modules/typescript',
    'node_modules/@gatehouse/mcp',
    'node_modules/esbuild',
  ]) {
    expect([file, holds(final, file)]).toEqual([file, false]);
  }
  expect(
    ['dist/main.js', 'node_modules/@opentelemetry/api'].filter((file) => !holds(final, file)),
  ).toEqual([]);
});

test('it does not serve a public address without authentication [M29 M31]', async () => {
  const { command, args, env } = container();
  const failure = await run(command, [...args, '--http'], { env }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 1, stdout: '' });
  expect((failure as { stderr: string }).stderr).toContain('MCP_BEARER_TOKEN');
});

test('it responds to health checks and clients, and SIGTERM ends it [M29]', async () => {
  const { command, args, env } = container();
  expect(env).toMatchObject({ MCP_HOST: '0.0.0.0', NODE_ENV: 'production' });
  // Here on loopback only, with any free port.
  const ours = { ...env, ...token, MCP_HOST: '127.0.0.1', MCP_PORT: '0' };
  const { client, url, child, exited } = await overHttp({ command, args, env: ours });
  await expectResponses(client, readPackageManifest(copy).version);
  expect((await fetch(new URL('/healthz', url))).status).toBe(200);
  expect((await fetch(url, { method: 'POST' })).status).toBe(401);

  const [, ...check] = image.healthcheck;
  const at = (port: string) => run(process.execPath, check, { env: { MCP_PORT: port } });
  await at(new URL(url).port);
  await expect(at('9')).rejects.toThrow();

  await client.close();
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});
