/** `npm run contract`: updates the lists of tests for each rule in `docs/contract.md`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readTests, withProofs } from './contract-page.ts';

const page = new URL('../docs/contract.md', import.meta.url);
const tests = readTests(fileURLToPath(new URL('..', import.meta.url)));
writeFileSync(page, withProofs(readFileSync(page, 'utf8'), tests));
