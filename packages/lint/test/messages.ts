/** The messages of this package's rules for a file, under a site's complete configuration. */
import path from 'node:path';
import { ESLint } from 'eslint';
import { siteConfig } from '../config.js';

/** A minimal site whose `~/` refers to this repository. */
const folder = path.join(import.meta.dirname, 'case');

const eslint = new ESLint({
  cwd: folder,
  overrideConfigFile: true,
  // With the other rules it would take ten times as long.
  ruleFilter: ({ ruleId }) => ruleId.startsWith('site/'),
  // `typescript-eslint` has its own type for a configuration.
  baseConfig: (await siteConfig(folder)) as ESLint.Options['baseConfig'] & object,
});

export async function messagesOf(
  code: string,
  filePath = 'app/routes/page.tsx',
): Promise<string[]> {
  const [result] = await eslint.lintText(code, { filePath });
  return (result?.messages ?? [])
    .filter(({ ruleId, fatal }) => fatal || ruleId === null || ruleId.startsWith('site/'))
    .map(({ ruleId, message }) => `${ruleId}: ${message}`);
}
