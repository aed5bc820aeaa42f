/** The program with the upstream probe service, which tests start like a client. */
import { runProgram } from '../../src/command-line.ts';
import { upstreamProbe } from '../probes/upstream-probe.ts';

await runProgram(upstreamProbe);
