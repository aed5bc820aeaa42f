#!/usr/bin/env node
/** The command line: this server, around the service in `src/services/`, or the example while there is none. */
import { runProgram } from './src/command-line.ts';
import { loadService } from './src/served-service.ts';

await runProgram(loadService);
