/** ESLint's rule tester with types: cases import the site's own boundary, which is always there. */
import path from 'node:path';
import { RuleTester, type Rule } from 'eslint';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { describe, it } from 'vitest';

RuleTester.describe = describe;
RuleTester.it = it;

/** A site of one file, whose `~/` is the real one. */
export const folder = path.join(import.meta.dirname, 'case');

const tester = new RuleTester({
  languageOptions: {
    parser: tseslint.parser,
    parserOptions: { projectService: true, tsconfigRootDir: folder },
    globals: { ...globals.node, ...globals.browser },
  },
});

/**
 * @param told the phrasings of a mistake by the message that tells it, and that alone
 * @param honest what nobody is told of
 * @param file of the site of one file, whose code the phrasings stand in for
 */
export function phrasings(
  title: string,
  rule: Rule.RuleModule,
  told: Record<string, string[]>,
  honest: string[],
  options: unknown[] = [],
  file = 'app/routes/page.tsx',
): void {
  const once = (code: string) => ({
    // Its end: cases begin with the same imports.
    name: code.replaceAll(/\s+/g, ' ').slice(-120),
    filename: path.join(folder, file),
    code,
    options,
  });
  tester.run(title, rule, {
    valid: honest.map(once),
    invalid: Object.entries(told).flatMap(([messageId, codes]) =>
      codes.map((code) => ({ ...once(code), errors: [{ messageId }] })),
    ),
  });
}
