#!/usr/bin/env node
/** `gatehouse-platform`: what `npm run platform` runs. */
import { register } from 'tsx/esm/api';

// The site's own files, such as e2e/site.ts, are TypeScript.
register();
await import('../src/programs/main.ts');
