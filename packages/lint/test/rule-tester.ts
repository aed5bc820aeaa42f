/** ESLint's RuleTester with type information. Cases import this repository's boundary through `~/`. */
import path from 'node:path';
import { RuleTester, type Rule } from 'eslint';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { describe, it } from 'vitest';

RuleTester.describe = describe;
RuleTester.it = it;

/** A minimal site whose `~/` refers to this repository. */
export const folder = path.join(import.meta.dirname, 'case');

const tester = new RuleTester({
  languageOptions: {
    parser: tseslint.parser,
    parserOptions: { projectService: true, tsconfigRootDir: folder },
    globals: { ...globals.node, ...globals.browser },
  },
});

/**
 * @param reported incorrect code, by the id of the only message that the rule reports for it
 * @param honest correct code, for which the rule reports nothing
 * @param file the name under which the code is linted
 */
export function phrasings(
  title: string,
  rule: Rule.RuleModule,
  reported: Record<string, string[]>,
  honest: string[],
  options: unknown[] = [],
  file = 'app/routes/page.tsx',
): void {
  const once = (code: string) => ({
    // Cases begin with the same imports, so only their end names them.
    name: code.replaceAll(/\s+/g, ' ').slice(-120),
    filename: path.join(folder, file),
    code,
    options,
  });
  tester.run(title, rule, {
    valid: honest.map(once),
    invalid: Object.entries(reported).flatMap(([messageId, codes]) =>
      codes.map((code) => ({ ...once(code), errors: [{ messageId }] })),
    ),
  });
}
