/** The MCP server and the service it asks, as `npm run dev` starts them. */
import { afterAll, expect, it, vi } from 'vitest';

import { startExampleService, startMcpServer } from './mcp-programs';
import { freePort, type Program } from './program';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const started: Program[] = [];
afterAll(() => Promise.all(started.map((program) => program.stop())));

it('the MCP server reaches the service that was started for it, and both end', async () => {
  const [examplePort, port] = [await freePort(), await freePort()];
  const heard: string[] = [];
  const onOutput = (text: string) => heard.push(text);
  started.push(await startExampleService({ port: examplePort, onOutput }));
  const upstreamUrl = `http://127.0.0.1:${examplePort}`;
  // Whichever service `main.ts` serves, and whatever that needs.
  const entry = 'mcp-server/test/example-program.ts';
  started.push(await startMcpServer({ port, upstreamUrl, entry }));
  expect(heard.join('')).toContain(upstreamUrl);

  const url = `http://127.0.0.1:${port}`;
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  const { result } = (await answer.json()) as { result: { tools: unknown[] } };
  expect(result.tools.length).toBeGreaterThan(0);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);

  await Promise.all(started.map((program) => program.stop()));
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  await expect(fetch(upstreamUrl)).rejects.toThrow();
});
