/** The program around the example, whatever `main.ts` serves: for tests that start a process. */
import { runProgram } from '../../../src/command-line.ts';
import directory from '../service.ts';

await runProgram(() => directory);
