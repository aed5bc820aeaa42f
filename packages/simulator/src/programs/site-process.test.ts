/** A site as a child process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { controlSite, startControlSite } from '../../test/negative-control/control-site.ts';
import { childEnv } from './env.ts';
import { MCP_SOURCE } from './mcp-programs.ts';
import { startPlatform, type Platform } from '../platform.ts';
import { printShop } from '../../test/print-shop.ts';
import type * as program from './program.ts';
import { freePort } from './program.ts';
import { startSite } from './site-process.ts';
import { visit } from '../../test/visit.ts';

vi.mock('./program.ts', async (original) => {
  const real = await original<typeof program>();
  return { ...real, freePort: vi.fn(real.freePort) };
});

let platform: Platform<unknown>;

beforeAll(async () => {
  platform = await startPlatform(printShop, { port: 0, internalPort: 0 });
});

afterAll(async () => {
  await platform.close();
});

const start = (options: Partial<Parameters<typeof startSite>[0]>) =>
  startSite({
    internalUrl: platform.internalUrl,
    siteOrigin: platform.siteOrigin,
    frameAncestors: platform.platformUrl,
    entry: controlSite,
    ...options,
  });

describe('a site as a child process', () => {
  it('is ready after start, and gone after stop', async () => {
    const site = await startControlSite(platform);
    expect((await visit(platform, '/readyz')).status).toBe(200);
    await site.stop();
    expect(await site.exited).toBe(0);
    expect((await visit(platform, '/readyz')).status).toBe(502);
    await site.stop();
  });

  it('has no visitor identities without the preload', async () => {
    const site = await start({ preload: false });
    platform.setSiteUpstream(site.url);
    const cookie = platform.sessions.createCookie('ada');
    expect((await visit(platform, '/api/user', { cookie })).status).toBe(401);
    await site.stop();
  });

  it('reports its end even while a child of its own still holds the output', async () => {
    const [file, text] = ['-e', "setTimeout(() => console.error('the last word'), 500)"];
    const holder = `require('node:child_process').spawn(process.execPath, ${JSON.stringify([file, text])}, { stdio: 'inherit' }).unref(); process.exitCode = 3;`;
    await expect(start({ nodeArguments: ['-e', holder], preload: false })).rejects.toThrow(
      /The site ended \(3\) before it was ready\.\n[^]*the last word/,
    );
  });

  it('includes its output in the error when it cannot start', async () => {
    await expect(start({ entry: 'no-such-site.mjs' })).rejects.toThrow(
      /The site ended \(1\) before it was ready\.\n[^]*no-such-site/,
    );
  });

  it('takes another port when its port was taken meanwhile', async () => {
    const taken = new URL(platform.siteOrigin).port;
    vi.mocked(freePort).mockResolvedValueOnce(Number(taken));
    const site = await start({});
    expect(new URL(site.url).port).not.toBe(taken);
    await site.stop();
  });

  it('can be stopped before it is ready', async () => {
    const blocked = createServer();
    await new Promise<void>((done) => blocked.listen(0, '127.0.0.1', done));
    const ending = new AbortController();
    const starting = start({
      nodeArguments: ['--eval', 'setInterval(() => {}, 1000)'],
      signal: ending.signal,
    });
    setImmediate(() => {
      ending.abort();
    });
    await expect(starting).rejects.toThrow(/The site ended \(SIGTERM\) before it was ready/);
    blocked.close();
  });

  it('passes its output on line by line', async () => {
    const heard: string[] = [];
    await expect(
      start({ entry: 'no-such-site.mjs', onLine: (line) => heard.push(line) }),
    ).rejects.toThrow();
    expect(heard.join('')).toContain('no-such-site');
  });
});

describe('a port that is taken', () => {
  it.each<[program: string, setting: string]>([
    ['dev.ts', 'PORT'],
    ...(existsSync(MCP_SOURCE)
      ? ([
          ['dev.ts', 'MCP_PORT'],
          ['dev.ts', 'EXAMPLE_SERVICE_PORT'],
        ] satisfies [string, string][])
      : []),
    ['dev.ts', 'PLATFORM_PORT'],
    ['dev.ts', 'PLATFORM_INTERNAL_PORT'],
    ['main.ts', 'PLATFORM_PORT'],
    ['main.ts', 'PLATFORM_INTERNAL_PORT'],
  ])('stops %s with one sentence that names %s', async (program, setting) => {
    const taken = new URL(platform.siteOrigin).port;
    const ports = [
      'PORT',
      'MCP_PORT',
      'EXAMPLE_SERVICE_PORT',
      'PLATFORM_PORT',
      'PLATFORM_INTERNAL_PORT',
    ];
    const free = Object.fromEntries(ports.map((name) => [name, '0']));
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', `packages/simulator/src/programs/${program}`],
      {
        env: childEnv({ ...free, [setting]: taken }),
      },
    );
    let stderr = '';
    child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect([code, stderr]).toEqual([
      1,
      `Port ${taken} is taken, perhaps by another \`npm run dev\`; \`lsof -i :${taken}\` names the process. End it, or set ${setting} to another.\n`,
    ]);
  });
});
