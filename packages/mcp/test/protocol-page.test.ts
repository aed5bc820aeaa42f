/** Runs the code of the protocol page. */
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from './doubles/http-server.ts';

const folder = fileURLToPath(new URL('../', import.meta.url));
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');

interface Written {
  readonly result: Promise<unknown>;
}

/** Runs the only code block of the protocol page with a URL and the variables that it leaves to the reader. */
async function runCode(url: string, client: Client, signal: AbortSignal): Promise<Written> {
  const [, code = ''] = /^```ts\n(.+?)^```$/ms.exec(read('docs/protocol.md')) ?? [];
  expect(code).toContain("'http://127.0.0.1:3333/mcp'");
  await mkdir(path.join(folder, '.cache'), { recursive: true });
  // Within the folder, so that it can import the SDK.
  const place = await mkdtemp(path.join(folder, '.cache/readme-'));
  onTestFinished(() => rm(place, { recursive: true }));
  const file = path.join(place, 'code.ts');
  await writeFile(
    file,
    `import { AsyncLocalStorage } from 'node:async_hooks';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
export async function run(client, params, signal) {
${code.replace('http://127.0.0.1:3333/mcp', url)}
return { result };
}`,
  );
  const { run } = (await import(pathToFileURL(file).href)) as {
    run: (client: Client, params: object, signal: AbortSignal) => Promise<Written>;
  };
  return run(client, { name: 'probe_wait_long', arguments: {} }, signal);
}

test('the code on the protocol page cancels one call without a session, and no other call of that client [M29]', async () => {
  const { url, state } = await startServer();
  const client = new Client({ name: 'test', version: '0' });
  onTestFinished(() => client.close());
  const cancel = new AbortController();
  const { result } = await runCode(url, client, cancel.signal);
  const rejected = expect(result).rejects.toThrow();
  const other = client.callTool({ name: 'probe_wait_long', arguments: {} });
  const otherEnded = expect(other).rejects.toThrow();
  await expect.poll(() => state.events).toEqual(['waiting', 'waiting']);
  cancel.abort();
  await rejected;
  await expect.poll(() => state.events).toEqual(['waiting', 'waiting', 'aborted']);
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  expect(state.events).toEqual(['waiting', 'waiting', 'aborted']);
  await client.close();
  await otherEnded;
});
