#!/usr/bin/env node
/** `gatehouse-dev`: what `npm run dev` runs. */
import { register } from 'tsx/esm/api';

// The site's own files, such as e2e/site.ts, are TypeScript.
register();
await import('../src/programs/dev.ts');
