#!/usr/bin/env node
/** The command line: this server, around the service that it wraps. */
import { runProgram } from './command-line.ts';
import { createExampleService } from './services/example/service.ts';
import { exampleSettings } from './services/example/settings.ts';

await runProgram({ settings: exampleSettings, createService: createExampleService });
