/** This server as built, with every check of the gate enabled, and with copies of its tool to fill the list. */
import type * as Runtime from '../src/adapters/runtime.ts';
import type * as Log from '../src/core/context/log.ts';
import type * as Http from '../src/transports/http/http.ts';
import type * as Probe from '../test/probes/upstream-probe.ts';

const built = (file: string): Promise<unknown> =>
  import(new URL(`../.cache/programs/${file}.js`, import.meta.url).href);
const { createRuntime } = (await built('src/adapters/runtime')) as typeof Runtime;
const { createLog } = (await built('src/core/context/log')) as typeof Log;
const { createUpstreamProbe } = (await built('test/probes/upstream-probe')) as typeof Probe;
const { startHttp } = (await built('src/transports/http/http')) as typeof Http;

const probe = createUpstreamProbe({ baseUrl: process.env['UPSTREAM'] ?? '', token: 'bench' });
const tool = probe.tools.find(({ name }) => name === 'probe_search_users');
if (!tool) throw new Error('There is no probe_search_users');

const runtime = await createRuntime({
  service: {
    ...probe,
    tools: Array.from({ length: Number(process.env['TOOLS']) }, (_, index) =>
      index === 0 ? tool : { ...tool, name: `${tool.name}_${letters(index)}` },
    ),
  },
  version: '1.0.0',
  log: createLog({ level: 'info' }),
});
await startHttp({
  runtime,
  host: '127.0.0.1',
  port: Number(process.env['PORT']),
  allowedHosts: [],
  allowedOrigins: [],
  authentication: { kind: 'bearer', token: 'bench-bench-bench-bench-bench-bench' },
  // Enabled, but never reached.
  rateLimit: { requests: 1_000_000_000, seconds: 60 },
  sessions: process.env['SESSIONS'] ? { idleSeconds: 600, maxSessions: 20_000 } : undefined,
});

process.on('message', () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.(heapUsed + external);
});

/** Letters only, because names must not contain numbers. */
function letters(index: number): string {
  return String.fromCharCode(97 + Math.floor(index / 26), 97 + (index % 26));
}
