/** The program around the example, whatever `src/main.ts` serves: for tests that start a process. */
import { runProgram } from '../../src/command-line.ts';
import { createExampleService } from '../../src/services/example/service.ts';
import { exampleSettings } from '../../src/services/example/settings.ts';

await runProgram({ settings: exampleSettings, createService: createExampleService });
