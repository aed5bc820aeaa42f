/**
 * The program, around the probe service: started by tests as a client would start it.
 *
 * `PROBE_SETTING=hasty` asks it to end before it serves; with `lasting` the service does not stop, and leaves
 * something behind that would keep the process.
 */
import { z } from 'zod';
import { runProgram } from '../../src/command-line.ts';
import { createProbeService } from './probe-service.ts';

function endOnceHeard(event: string | symbol): void {
  if (event === 'SIGTERM') setImmediate(() => process.kill(process.pid, event));
}

await runProgram({
  settings: z.object({ PROBE_SETTING: z.enum(['hasty', 'lasting']).optional() }),
  createService({ PROBE_SETTING: kind }) {
    const isLasting = kind === 'lasting';
    if (isLasting) setInterval(() => undefined, 1_000);
    if (kind === 'hasty') process.on('newListener', endOnceHeard);
    const service = createProbeService();
    return {
      ...service,
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
