/** `docs/import-rules.md` says what lint enforces: `npx vitest run --config template/vitest.config.ts import-rules -u` writes it. */
import { existsSync } from 'node:fs';
import { importRulesPage } from '@gatehouse/lint/layers';
import { expect, test } from 'vitest';

test('docs/import-rules.md has the rules of lint', async () => {
  const page = importRulesPage((file) => existsSync(new URL(`../../app/${file}`, import.meta.url)));
  await expect(page).toMatchFileSnapshot('../../docs/import-rules.md');
});
