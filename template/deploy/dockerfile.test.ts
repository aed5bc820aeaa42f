/** Runs the Dockerfile's steps without Docker, and starts and probes the result as a hosting platform does. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { freePort } from '@gatehouse/simulator/programs';
import { containerEnvironment, runDockerfile, type Image, type Stage } from './dockerfile-steps.ts';

const run = promisify(execFile);
let image: Image;
let built: Stage;
let final: Stage;

beforeAll(async () => {
  image = await runDockerfile(fileURLToPath(new URL('../..', import.meta.url)));
  built = image.stages.get('build') ?? built;
  final = image.stages.get('final') ?? final;
}, 600_000);
afterAll(() => image.remove());

test('the container runs the command of `npm start`, with node as its main process, not as root', () => {
  const { base, user, command } = image;
  expect(command).toEqual(manifest.scripts.start.replace(/^exec /, '').split(' '));
  expect(base).toBe('node:24-slim');
  expect([undefined, 'root', '0']).not.toContain(user);
});

test('it contains what `npm start` needs, and neither sources, secrets nor tools', () => {
  const holds = (stage: Stage, file: string) =>
    existsSync(path.join(stage.folder, stage.workdir, file));
  for (const file of ['.env', '.git', 'mcp-server', 'template', 'app/env.test.ts']) {
    expect([file, holds(built, file)]).toEqual([file, false]);
  }
  for (const file of [
    'app',
    ...['vite', 'vitest', 'jose', 'prettier', 'eslint'].map((name) => `node_modules/${name}`),
  ]) {
    expect([file, holds(final, file)]).toEqual([file, false]);
  }
  expect(holds(built, 'app/root.tsx') && holds(final, 'node_modules/react')).toBe(true);
});

test('it responds to probes and pages, and SIGTERM ends it after /readyz has reported it', async () => {
  const port = await freePort();
  const cwd = path.join(final.folder, final.workdir);
  const [program = '', ...args] = image.command;
  const env = {
    ...containerEnvironment,
    ...final.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    SITE_ORIGIN: 'https://site.example',
    PLATFORM_FRAME_ANCESTORS: 'https://platform.example',
    AUTH_SECRET: 'a key that is good for this test and nothing else',
    SMTP_URL: 'off',
    SHUTDOWN_DELAY_SECONDS: '3',
    // Nothing listens on this port: the page shows an outage, and the probes do not depend on the platform.
    PLATFORM_INTERNAL_URL: 'http://127.0.0.1:9',
  };
  const site = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(site, 'exit');
  const statusOf = (address: string) =>
    fetch(`http://127.0.0.1:${port}${address}`).then(
      ({ status }) => status,
      () => 0,
    );
  try {
    await expect.poll(() => statusOf('/healthz')).toBe(200);
    expect([await statusOf('/readyz'), await statusOf('/')]).toEqual([200, 200]);
    const [checker = '', ...check] = image.healthcheck;
    await run(checker, check, { cwd, env });
    await expect(run(checker, check, { cwd, env: { ...env, PORT: '9' } })).rejects.toThrow();

    site.kill('SIGTERM');
    await expect.poll(() => statusOf('/readyz')).toBe(503);
    // The site still serves load balancers that have not noticed yet.
    expect([await statusOf('/healthz'), await statusOf('/')]).toEqual([200, 200]);
    expect(await exited).toEqual([0, null]);
  } finally {
    site.kill('SIGKILL');
  }
});
