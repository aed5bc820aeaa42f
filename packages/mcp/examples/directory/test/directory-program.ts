/**
 * The program with the example service, regardless of which service `main.ts` selects. For tests that start a
 * process.
 */
import { runProgram } from '../../../src/command-line.ts';
import directory from '../service.ts';

await runProgram(() => directory);
