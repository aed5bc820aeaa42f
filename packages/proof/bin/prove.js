#!/usr/bin/env node
/** `gatehouse-prove`: what `npm run boundary` runs. */
import { register } from 'tsx/esm/api';

// The site's own files, such as e2e/site.ts, are TypeScript.
register();
await import('../src/main.ts');
