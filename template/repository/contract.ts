/** `npm run contract`: writes which tests prove each rule into the pages of the website's contract. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readTests, withProofs } from '../../packages/mcp/scripts/contract-page.ts';

const root = new URL('../../', import.meta.url);
const tests = readTests(fileURLToPath(root), ['packages/mcp']);
for (const name of ['platform', 'server']) {
  const page = new URL(`packages/${name}/docs/contract.md`, root);
  writeFileSync(page, withProofs(readFileSync(page, 'utf8'), tests));
}
