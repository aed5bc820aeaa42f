/** The MCP server and its example service, as `npm run dev` starts them. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, it as test, onTestFinished, vi } from 'vitest';

import {
  MCP_SOURCE,
  settingsForExample,
  startExampleService,
  startMcpServer,
} from './mcp-programs.ts';
import { freePort } from './program.ts';

vi.setConfig({ testTimeout: 120_000 });

/** A repository may do without. */
const it = test.runIf(existsSync(MCP_SOURCE));

/** Starts both as `npm run dev` does. They are stopped with the test at the latest. */
async function startBoth() {
  const [examplePort, port] = [await freePort(), await freePort()];
  const upstreamUrl = `http://127.0.0.1:${examplePort}`;
  const heard: string[] = [];
  const onLine = (line: string) => heard.push(line);
  const service = await startExampleService({ port: examplePort, onLine });
  onTestFinished(() => service.stop());
  const settings = settingsForExample(upstreamUrl);
  const server = await startMcpServer({ port, settings });
  onTestFinished(() => server.stop());
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    upstreamUrl,
    heard,
    stop: () => Promise.all([server.stop(), service.stop()]),
    send: async (method: string, params: object): Promise<unknown> => {
      const response = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      return ((await response.json()) as { result: unknown }).result;
    },
  };
}

it('the MCP server reaches its example service, and both stop', async () => {
  const { url, upstreamUrl, heard, send, stop } = await startBoth();
  expect(heard.join('')).toContain(upstreamUrl);
  const { tools } = (await send('tools/list', {})) as { tools: unknown[] };
  expect(tools.length).toBeGreaterThan(0);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);

  await stop();
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  await expect(fetch(upstreamUrl)).rejects.toThrow();
});

it('the example service is for the server that wraps it alone', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'services-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const write = async (file: string, text = '') => {
    await mkdir(path.join(root, path.dirname(file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  };
  const settings = () => settingsForExample('http://127.0.0.1:1', root);
  await write('mcp-server/settings.ts', 'EXAMPLE_API_BASE_URL: baseUrl');
  expect(settings()).toBeUndefined();
  await write('node_modules/@gatehouse/mcp/examples/directory/api/start.js');
  expect(settings()).toMatchObject({ EXAMPLE_API_BASE_URL: 'http://127.0.0.1:1' });
  await write('mcp-server/settings.ts', 'ACME_API_BASE_URL: baseUrl');
  expect(settings()).toBeUndefined();
});
