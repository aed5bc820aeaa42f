/** The MCP server and the service it asks, as `npm run dev` starts them. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, it, onTestFinished, vi } from 'vitest';

import { settingsForExample, startExampleService, startMcpServer } from './mcp-programs';
import { freePort } from './program';

vi.setConfig({ testTimeout: 120_000 });

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const example = 'mcp-server/test/programs/example-program.ts';

/** Both, as `npm run dev` starts them for what `entry` serves. Stopped with the test, or before. */
async function startBoth(entry: string) {
  const [examplePort, port] = [await freePort(), await freePort()];
  const upstreamUrl = `http://127.0.0.1:${examplePort}`;
  const heard: string[] = [];
  const onLine = (line: string) => heard.push(line);
  const service = await startExampleService({ port: examplePort, onLine });
  onTestFinished(() => service.stop());
  const settings = settingsForExample(upstreamUrl, entry);
  const server = await startMcpServer({ port, settings, entry });
  onTestFinished(() => server.stop());
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    upstreamUrl,
    heard,
    stop: () => Promise.all([server.stop(), service.stop()]),
    ask: async (method: string, params: object): Promise<unknown> => {
      const answer = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      return ((await answer.json()) as { result: unknown }).result;
    },
  };
}

/** A copy of the MCP server after `npm run mcp:new -- acme_crm`, removed with the test. */
async function copyWithNewService(): Promise<string> {
  // Inside the repository, so that packages resolve as they do in `mcp-server/`.
  await mkdir(path.join(repository, '.cache'), { recursive: true });
  const copy = await mkdtemp(path.join(repository, '.cache/new-'));
  onTestFinished(() => rm(copy, { recursive: true, force: true }));
  const server = path.join(repository, 'mcp-server');
  for (const part of ['src', 'scripts', 'package.json', 'README.md'])
    await cp(path.join(server, part), path.join(copy, part), { recursive: true });
  await symlink(path.join(server, 'node_modules'), path.join(copy, 'node_modules'));
  // As it was before any other service was made.
  const program = await readFile(path.join(repository, example), 'utf8');
  await writeFile(path.join(copy, 'src/main.ts'), program.replaceAll('../src/', './'));
  const script = path.join(copy, 'scripts/new-service.ts');
  await promisify(execFile)(process.execPath, ['--import', 'tsx', script, 'acme_crm']);
  return path.relative(repository, copy);
}

it('the MCP server reaches the service that was started for it, and both end', async () => {
  const { url, upstreamUrl, heard, ask, stop } = await startBoth(example);
  expect(heard.join('')).toContain(upstreamUrl);
  const { tools } = (await ask('tools/list', {})) as { tools: unknown[] };
  expect(tools.length).toBeGreaterThan(0);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);

  await stop();
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  await expect(fetch(upstreamUrl)).rejects.toThrow();
});

it('so does a service that was just made of the example, under its own name, until it has an address of its own', async () => {
  const copy = await copyWithNewService();
  const entry = `${copy}/src/main.ts`;
  const { url, ask, stop } = await startBoth(entry);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const call = { name: 'acme_crm_search_users', arguments: { query: 'ada' } };
  expect(await ask('tools/call', call)).toMatchObject({ structuredContent: { count: 20 } });
  await stop();

  const settings = path.join(repository, copy, 'src/services/acme_crm/settings.ts');
  const made = await readFile(settings, 'utf8');
  for (const development of ['http://127.0.0.1:4010', 'example-development-token']) {
    await writeFile(settings, made.replace(development, 'https://api.acme.example'));
    expect(settingsForExample('http://127.0.0.1:1', entry)).toBeUndefined();
  }
});
