/**
 * The Dockerfile's own steps, run without Docker: each stage is an empty folder, COPY copies, RUN runs, and CMD
 * is started and asked as a platform would. What only Docker does (the base image, USER) is read, not run.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, realpath, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { freePort } from '../../e2e/harness/programs/program';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

interface Step {
  instruction: string;
  rest: string;
}

const steps: Step[] = readFileSync(path.join(root, 'Dockerfile'), 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .map((line) => /^([A-Z]+)\s+(.*)$/.exec(line.trim()))
  .flatMap((found) => (found ? [{ instruction: found[1] ?? '', rest: found[2] ?? '' }] : []));

const ignored = readFileSync(path.join(root, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line && !line.startsWith('#'))
  .map((pattern) => {
    const source = pattern.replaceAll(/\*\*\/|[*.]/g, (part) =>
      part === '.' ? String.raw`\.` : part === '*' ? '[^/]*' : '(.*/)?',
    );
    return new RegExp(`^${source}$`);
  });

interface Stage {
  folder: string;
  workdir: string;
  env: Record<string, string>;
}

let temporary = '';
let built: Stage;
let final: Stage;
let command: string[] = [];
let healthcheck: string[] = [];

/** What a shell in a fresh container has, and where npm keeps what it has fetched. */
const shellEnv = {
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
} as unknown as NodeJS.ProcessEnv;

beforeAll(async () => {
  temporary = await realpath(await mkdtemp(path.join(tmpdir(), 'dockerfile-')));
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const { instruction, rest } of steps) {
    if (instruction === 'FROM') {
      const [, name = 'final'] = /\bAS (\S+)$/i.exec(rest) ?? [];
      stage = { folder: path.join(temporary, name), workdir: '/', env: {} };
      stages.set(name, stage);
      await mkdir(stage.folder);
      continue;
    }
    if (!stage) throw new Error(`${instruction} stands before FROM.`);
    if (instruction === 'WORKDIR') {
      stage.workdir = rest;
      await mkdir(path.join(stage.folder, rest), { recursive: true });
    } else if (instruction === 'ENV') {
      for (const [, name = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g))
        stage.env[name] = value;
    } else if (instruction === 'COPY') await copy(rest, stage, stages);
    else if (instruction === 'RUN') await shell(rest, stage);
    else if (instruction === 'CMD') command = JSON.parse(rest) as string[];
    else if (instruction === 'HEALTHCHECK') {
      healthcheck = JSON.parse(rest.slice(rest.indexOf('['))) as string[];
    } else if (!['USER', 'EXPOSE'].includes(instruction)) {
      throw new Error(`${instruction} is not run by this test.`);
    }
  }
  built = stages.get('build') ?? built;
  final = stages.get('final') ?? final;
}, 600_000);
afterAll(() => rm(temporary, { recursive: true, force: true }));

async function copy(rest: string, stage: Stage, stages: Map<string, Stage>): Promise<void> {
  const words = rest.split(/\s+/);
  const [, from] = /^--from=(\S+)$/.exec(words[0] ?? '') ?? [];
  const source = from === undefined ? root : (stages.get(from)?.folder ?? '');
  const names = words.slice(from === undefined ? 0 : 1, -1);
  const to = path.join(stage.folder, path.resolve(stage.workdir, words.at(-1) ?? ''));
  for (const name of names) {
    const whole = name === '.' || !words.at(-1)?.endsWith('/');
    const target = whole ? to : path.join(to, path.basename(name));
    // Nothing reads an earlier stage again, and a move takes no time.
    if (from !== undefined) await rename(path.join(source, name), target);
    else await cp(path.join(source, name), target, { recursive: true, filter: isInContext });
  }
}

function isInContext(file: string): boolean {
  return !ignored.some((pattern) => pattern.test(path.relative(root, file)));
}

async function shell(line: string, stage: Stage): Promise<void> {
  await run('sh', ['-c', line.replaceAll(/^(--\S+\s+)+/g, '')], {
    cwd: path.join(stage.folder, stage.workdir),
    env: { ...shellEnv, ...stage.env },
    maxBuffer: 16 * 1024 * 1024,
  });
}

test('the container runs as `npm start` does, with node told SIGTERM itself, and not as root', () => {
  expect(command).toEqual(manifest.scripts.start.replace(/^exec /, '').split(' '));
  const last = steps.slice(steps.findLastIndex(({ instruction }) => instruction === 'FROM'));
  expect(last[0]?.rest).toBe('node:20-slim');
  const user = last.find(({ instruction }) => instruction === 'USER')?.rest;
  expect([undefined, 'root', '0']).not.toContain(user);
});

test('it holds what `npm start` needs, and neither sources, secrets nor tools', () => {
  const holds = (stage: Stage, file: string) =>
    existsSync(path.join(stage.folder, stage.workdir, file));
  for (const file of ['.env', '.git', 'mcp-server', 'template', 'app/env.test.ts']) {
    expect([file, holds(built, file)]).toEqual([file, false]);
  }
  for (const file of ['app', 'node_modules/vite', 'node_modules/vitest', 'node_modules/jose']) {
    expect([file, holds(final, file)]).toEqual([file, false]);
  }
  expect(holds(built, 'app/root.tsx') && holds(final, 'node_modules/react')).toBe(true);
});

test('it answers probes and pages, and SIGTERM ends it once it has said that it is not ready', async () => {
  const port = await freePort();
  const cwd = path.join(final.folder, final.workdir);
  const [program = '', ...args] = command;
  const env = {
    ...shellEnv,
    ...final.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    SITE_ORIGIN: 'https://site.example',
    PLATFORM_FRAME_ANCESTORS: 'https://platform.example',
    AUTH_SECRET: 'a key that is good for this test and nothing else',
    SMTP_URL: 'off',
    SHUTDOWN_DELAY_SECONDS: '3',
    // Nothing listens: the page says so, and the probes do not depend on it.
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
    const [checker = '', ...check] = healthcheck;
    await run(checker, check, { cwd, env });
    await expect(run(checker, check, { cwd, env: { ...env, PORT: '9' } })).rejects.toThrow();

    site.kill('SIGTERM');
    await expect.poll(() => statusOf('/readyz')).toBe(503);
    // Balancers that have not seen it yet still find a site.
    expect([await statusOf('/healthz'), await statusOf('/')]).toEqual([200, 200]);
    expect(await exited).toEqual([0, null]);
  } finally {
    site.kill('SIGKILL');
  }
});
