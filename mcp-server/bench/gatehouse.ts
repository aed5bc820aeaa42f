/** This server as it is built, every gate on, with as many copies of its tool as make up the list. */
import type * as Runtime from '../src/adapters/runtime.ts';
import type * as Log from '../src/core/context/log.ts';
import type * as Service from '../src/services/example/service.ts';
import type * as Settings from '../src/services/example/settings.ts';
import type * as Http from '../src/transports/http/http.ts';

const built = (file: string): Promise<unknown> =>
  import(new URL(`../dist/${file}.js`, import.meta.url).href);
const { createRuntime } = (await built('adapters/runtime')) as typeof Runtime;
const { createLog } = (await built('core/context/log')) as typeof Log;
const { createExampleService } = (await built('services/example/service')) as typeof Service;
const { exampleSettings } = (await built('services/example/settings')) as typeof Settings;
const { startHttp } = (await built('transports/http/http')) as typeof Http;

const example = createExampleService(
  exampleSettings.parse({
    EXAMPLE_API_BASE_URL: process.env['UPSTREAM'],
    EXAMPLE_API_TOKEN: 'bench',
  }),
);
const tool = example.tools.find(({ name }) => name === 'example_search_users');
if (!tool) throw new Error('There is no example_search_users');

const runtime = await createRuntime({
  service: {
    ...example,
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
  // On, and never reached.
  rateLimit: { requests: 1_000_000_000, seconds: 60 },
  sessions: process.env['SESSIONS'] ? { idleSeconds: 600, maxSessions: 20_000 } : undefined,
});

process.on('message', () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.(heapUsed + external);
});

/** A name may carry no number. */
function letters(index: number): string {
  return String.fromCharCode(97 + Math.floor(index / 26), 97 + (index % 26));
}
