/** What the whole configuration of a site tells of a route, in words of this package's rules. */
import path from 'node:path';
import { ESLint } from 'eslint';
import { siteConfig } from '../config';

/** A site of one file, whose `~/` is the real one. */
const folder = path.join(import.meta.dirname, 'case');

const eslint = new ESLint({
  cwd: folder,
  overrideConfigFile: true,
  // The others would take ten times as long.
  ruleFilter: ({ ruleId }) => ruleId.startsWith('site/'),
  // Two packages' types of one thing.
  baseConfig: siteConfig(folder) as ESLint.Options['baseConfig'] & object,
});

export async function toldOf(code: string): Promise<string[]> {
  const [result] = await eslint.lintText(code, { filePath: 'app/routes/page.tsx' });
  return (result?.messages ?? [])
    .filter(({ ruleId, fatal }) => fatal || ruleId === null || ruleId.startsWith('site/'))
    .map(({ ruleId, message }) => `${ruleId}: ${message}`);
}
