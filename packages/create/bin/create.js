#!/usr/bin/env node
/** `create-gatehouse`: what `npm run init` runs. */
import { register } from 'tsx/esm/api';

// In the template's repository this package is TypeScript.
register();
await import('../main.ts');
