/** `npm run contract`: writes which tests prove each rule into `docs/contract.md`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readTests, withProofs } from '../../packages/mcp/scripts/contract-page.ts';

const page = new URL('../../docs/contract.md', import.meta.url);
const tests = readTests(fileURLToPath(new URL('../..', import.meta.url)), ['packages/mcp']);
writeFileSync(page, withProofs(readFileSync(page, 'utf8'), tests));
