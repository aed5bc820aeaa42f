/** The program, around the probe service: started by tests as a client would start it. */
import { z } from 'zod';
import { runProgram } from '../src/command-line.ts';
import { createProbeService } from './probe-service.ts';

await runProgram({
  settings: z.object({ PROBE_SETTING: z.enum(['yes', 'no']).optional() }),
  createService() {
    const service = createProbeService();
    return {
      ...service,
      async start() {
        const lifespan = await service.start();
        const stop = async () => {
          await lifespan.stop();
          process.stderr.write('The lifespan has ended\n');
        };
        return { ...lifespan, stop };
      },
    };
  },
});
