/** The program around the example, whatever `src/main.ts` serves: for tests that start a process. */
import { runProgram } from '../src/command-line.ts';
import { createExampleService } from '../src/example/service.ts';
import { exampleSettings } from '../src/example/settings.ts';

await runProgram({ settings: exampleSettings, createService: createExampleService });
