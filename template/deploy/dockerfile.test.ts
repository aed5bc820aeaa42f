/** Runs the Dockerfile's steps without Docker, and starts and probes the result as a hosting platform does. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
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
  // The other folders and files of the context have gone into the final stage.
  expect(readdirSync(path.join(built.folder, built.workdir)).sort()).toEqual(
    ['.npmrc', 'app', 'package-lock.json', 'public', 'tsconfig.json', 'vite.config.ts'].sort(),
  );
  expect(holds(built, 'app/env.test.ts')).toBe(false);
  for (const file of [
    'app',
    ...['vite', 'vitest', 'jose', 'prettier', 'eslint', 'pngjs'].map(
      (name) => `node_modules/${name}`,
    ),
    'node_modules/@gatehouse/simulator',
  ]) {
    expect([file, holds(final, file)]).toEqual([file, false]);
  }
  expect(holds(built, 'app/root.tsx') && holds(final, 'node_modules/react')).toBe(true);
});

async function start(settings: Record<string, string>) {
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
    ...settings,
  };
  const site = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  return { site, exited: once(site, 'exit'), cwd, env, url: `http://127.0.0.1:${port}` };
}

test('it responds to probes and pages, and SIGTERM ends it after /readyz has reported it', async () => {
  // Nothing listens on this port: the page shows an outage, and the probes do not depend on the platform.
  const { site, exited, cwd, env, url } = await start({
    PLATFORM_INTERNAL_URL: 'http://127.0.0.1:9',
  });
  const statusOf = (address: string) =>
    fetch(url + address).then(
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

/** The scripts that a program of the build loads before any request. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/^import .*?"(\.[^"]+)";$/gm)) {
    loadedBy(path.join(path.dirname(file), name), seen);
  }
  return seen;
}

test('the simulated platform is built in, and a server with a platform does not load it [W31]', () => {
  const server = path.join(final.folder, final.workdir, 'build/server');
  const scripts = readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .map((file) => path.join(server, file));
  const simulated = scripts.filter((file) => readFileSync(file, 'utf8').includes('trace-canary'));
  expect(simulated).toHaveLength(1);
  const loaded = ['main.js', 'index.js'].flatMap((file) => [...loadedBy(path.join(server, file))]);
  expect(loaded.length).toBeGreaterThan(3);
  expect(loaded.filter((file) => simulated.includes(file))).toEqual([]);
});

test('the offline demo makes pictures and clips in it, without a platform [W31]', async () => {
  const { site, url } = await start({ OFFLINE_DEMO: '1' });
  try {
    await expect
      .poll(() =>
        fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      )
      .toBe(true);
    const page = await fetch(`${url}/studio`);
    const [cookie = ''] = page.headers.getSetCookie()[0]?.split(';') ?? [];
    const [, account = ''] = /name="account" value="([^"]+)"/.exec(await page.text()) ?? [];
    for (const [kind, type] of [
      ['picture', 'image/png'],
      ['clip', 'video/webm'],
    ] as const) {
      const order = await fetch(`${url}/api/generations?account=${account}`, {
        method: 'POST',
        headers: {
          cookie,
          origin: 'https://site.example',
          'content-type': 'application/json',
          'idempotency-key': `an-order-of-a-${kind}`,
        },
        body: JSON.stringify({ prompts: ['A lighthouse'], kind }),
      });
      const { items } = (await order.json()) as { items: { id: string }[] };
      const output = `${url}/api/generations/${items[0]?.id}/output.${type.split('/')[1]}`;
      const read = () => fetch(output, { headers: { cookie } });
      await expect.poll(async () => (await read()).status).toBe(200);
      expect((await read()).headers.get('content-type')).toBe(type);
    }
  } finally {
    site.kill('SIGKILL');
  }
});

test('a made site’s image differs in where its packages are, and in nothing else', () => {
  const stepsIn = (file: string) =>
    readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
      .split('\n')
      .filter((line) => !line.startsWith('#'));
  const [own, made] = [stepsIn('Dockerfile'), stepsIn('packages/create/site/Dockerfile')];
  expect(made.filter((step) => !own.includes(step))).toEqual(['COPY vendor ./vendor']);
  const dropped = own.filter((step) => !made.includes(step));
  expect(dropped.length).toBeGreaterThan(0);
  expect(dropped.filter((step) => !step.includes('packages'))).toEqual([]);
});
