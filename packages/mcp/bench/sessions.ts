/** Measures the memory of an idle session, and what remains after ten thousand sessions. */
import type { ChildProcess } from 'node:child_process';

const idle = 1_000;
const passing = 10_000;
const atOnce = 50;

type Start = (env: Record<string, string>) => Promise<{ url: string; child: ChildProcess }>;

export async function measureSessions(start: Start): Promise<void> {
  const { url, child } = await start({ SESSIONS: '1' });
  // Warm-up: the first sessions include the memory for compiled code.
  await comeAndGo(url, 500);
  const before = await memoryOf(child);

  const open: string[] = [];
  await inParallel(idle, async () => {
    open.push(await openSession(url));
  });
  const withIdle = await memoryOf(child);
  await inParallel(idle, async () => {
    await closeSession(url, open.pop() ?? '');
  });

  await comeAndGo(url, passing);
  const after = await memoryOf(child);
  console.log(`\nHeap and external memory, after a garbage collection`);
  console.table({
    before: megabytes(before),
    [`with ${idle} idle sessions`]: megabytes(withIdle),
    [`after ${passing} sessions came and went`]: megabytes(after),
  });
  console.log(`An idle session: ${((withIdle - before) / idle / 1024).toFixed(1)} KiB`);
}

const headers = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  authorization: 'Bearer bench-bench-bench-bench-bench-bench',
};

async function openSession(url: string): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'bench', version: '1.0.0' },
      },
    }),
  });
  await response.text();
  const session = response.headers.get('mcp-session-id');
  if (!session) throw new Error(`No session was opened: status ${response.status}`);
  return session;
}

async function closeSession(url: string, session: string): Promise<void> {
  const response = await fetch(url, {
    method: 'DELETE',
    headers: { ...headers, 'mcp-session-id': session },
  });
  await response.text();
  if (!response.ok) throw new Error(`A session was not closed: status ${response.status}`);
}

async function comeAndGo(url: string, count: number): Promise<void> {
  await inParallel(count, async () => {
    await closeSession(url, await openSession(url));
  });
}

async function inParallel(count: number, work: () => Promise<void>): Promise<void> {
  let left = count;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) await work();
    }),
  );
}

/** Returns the bytes in use after a garbage collection in the server. */
function memoryOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('message', (bytes) => {
      resolve(Number(bytes));
    });
    child.send('memory');
  });
}

function megabytes(bytes: number): { MiB: string } {
  return { MiB: (bytes / 2 ** 20).toFixed(1) };
}
