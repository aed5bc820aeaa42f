#!/usr/bin/env node
/** `gatehouse-mcp`: what the scripts of an author's folder run. */
import { register } from 'tsx/esm/api';

// The author's own files, such as main.ts, are TypeScript.
register();
await import('../scripts/main.ts');
