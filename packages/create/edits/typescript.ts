/**
 * TypeScript's parser. Loaded by `require`, because `tsx` would compile an imported package, and this one is 9 MB:
 * `npm run init` would take a second longer.
 */
import { createRequire } from 'node:module';
import type * as TypeScript from 'typescript';

const require = createRequire(import.meta.url);

export const ts = require('typescript') as typeof TypeScript;
