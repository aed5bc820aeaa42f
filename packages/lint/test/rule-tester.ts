/** ESLint's RuleTester with type information. Cases import this repository's boundary through `~/`. */
import path from 'node:path';
import { RuleTester, type Rule } from 'eslint';
import globals from 'globals';
import ts from 'typescript';
import tseslint from 'typescript-eslint';
import { describe, it } from 'vitest';

RuleTester.describe = describe;
RuleTester.it = it;

/** A minimal site whose `~/` refers to this repository. */
export const folder = path.join(import.meta.dirname, 'case');

// Its own type lacks the options.
const typescript: {
  parseForESLint(code: string, given: object): { ast: unknown; scopeManager: unknown };
} = tseslint.parser;

const page = 'app/routes/page.tsx';

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
  file = page,
): void {
  const codes = new Map<string, string>();
  const once = (code: string) => {
    // Pages may have any name, and so be in one program.
    const name = file === page ? page.replace('.', `-${codes.size}.`) : file;
    const filename = path.join(folder, name);
    codes.set(filename, code);
    return {
      // Cases begin with the same imports, so only their end names them.
      name: code.replaceAll(/\s+/g, ' ').slice(-120),
      filename,
      code,
      options,
    };
  };
  const cases = {
    valid: honest.map(once),
    invalid: Object.entries(reported).flatMap(([messageId, codes]) =>
      codes.map((code) => ({ ...once(code), errors: [{ messageId }] })),
    ),
  };
  const pages = file === page ? programOf(codes) : null;
  const parser = {
    ...tseslint.parser,
    parseForESLint(code: string, given: { filePath: string }) {
      const program = pages ?? programOf(new Map([[given.filePath, code]]));
      return typescript.parseForESLint(code, { ...given, programs: [program] });
    },
  };
  const languageOptions = { parser, globals: { ...globals.node, ...globals.browser } };
  new RuleTester({ languageOptions }).run(title, rule, cases);
}

const { options, fileNames } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(path.join(folder, 'tsconfig.json'), (file) => ts.sys.readFile(file)).config,
  ts.sys,
  folder,
);
const host = ts.createCompilerHost(options, true);
const onDisk = new Map<string, ts.SourceFile | undefined>();
let last: ts.Program | undefined;

/** Cases of one program share what the compiler finds out about the modules that they import, which takes the longest. */
function programOf(codes: ReadonlyMap<string, string>): ts.Program {
  last = ts.createProgram({
    rootNames: [...new Set([...fileNames, ...codes.keys()])],
    options,
    host: {
      ...host,
      fileExists: (file) => codes.has(file) || host.fileExists(file),
      readFile: (file) => codes.get(file) ?? host.readFile(file),
      getSourceFile(file, version) {
        const code = codes.get(file);
        if (code !== undefined) return ts.createSourceFile(file, code, version, true);
        if (!onDisk.has(file)) onDisk.set(file, host.getSourceFile(file, version));
        return onDisk.get(file);
      },
    },
    ...(last && { oldProgram: last }),
  });
  return last;
}
