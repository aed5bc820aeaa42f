/**
 * The program with the probe service, which tests start like a client.
 *
 * `PROBE_SETTING` selects a variant: `hasty` ends the program before it serves; with `lasting`, the service does
 * not stop and leaves a handle open that keeps the process alive; `audited` adds a hook around each call.
 */
import { z } from 'zod';
import { runProgram } from '../../src/command-line.ts';
import type { ServiceDefinition } from '../../src/core/definition/service-definition.ts';
import { ToolError } from '../../src/core/result/errors.ts';
import { createProbeService } from '../probes/probe-service.ts';

function endOnceHeard(event: string | symbol): void {
  if (event === 'SIGTERM') setImmediate(() => process.kill(process.pid, event));
}

/** Writes a line for each call, and rejects calls that keep a file. */
const audited: ServiceDefinition['around'] = async ({ tool, context }, next) => {
  if (tool.name === 'probe_keep_file') throw new ToolError('Files are kept elsewhere.');
  const outcome = await next();
  process.stderr.write(`audit: ${context.caller.id} ${tool.name} ${outcome.status}\n`);
  return outcome;
};

await runProgram({
  settings: z.object({ PROBE_SETTING: z.enum(['hasty', 'lasting', 'audited']).optional() }),
  createService({ PROBE_SETTING: kind }) {
    const isLasting = kind === 'lasting';
    if (isLasting) setInterval(() => undefined, 1_000);
    if (kind === 'hasty') process.on('newListener', endOnceHeard);
    const service = createProbeService();
    return {
      ...service,
      ...(kind === 'audited' && { around: audited }),
      async start() {
        const lifespan = await service.start();
        const stop = async () => {
          await lifespan.stop();
          process.stderr.write('The lifespan has ended\n');
          if (isLasting) await new Promise(() => undefined);
        };
        return { ...lifespan, stop };
      },
    };
  },
});
