/** The program around the service with an upstream: started by tests as a client would start it. */
import { runProgram } from '../../src/command-line.ts';
import { upstreamProbe } from '../probes/upstream-probe.ts';

await runProgram(() => upstreamProbe);
