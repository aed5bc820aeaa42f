#!/usr/bin/env node
/** `gatehouse init`, which `npm run init` runs, and `gatehouse update`. */
import { existsSync } from 'node:fs';

// In the template's repository this package is TypeScript.
if (existsSync(new URL('../main.ts', import.meta.url))) (await import('tsx/esm/api')).register();
await import('../main.ts');
