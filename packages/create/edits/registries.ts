/** Registries: files of lines such as `export { default as notes } from './notes/feature';`, one for each feature. */
import path from 'node:path';
import type { Statement } from 'typescript';
import { isIn } from '../features.ts';
import { Refusal } from '../request/refusal.ts';
import { ts } from './typescript.ts';

const isSource = (file: string) => /^(app|e2e)\/.*\.tsx?$/.test(file);

/** Removes the exports whose module stands in a removed place. */
export function withoutReexports(file: string, text: string, places: readonly string[]): string {
  if (!isSource(file) || !/^export .*\bfrom\b/m.test(text)) return text;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return source.statements
    .filter(
      (statement) =>
        ts.isExportDeclaration(statement) && leadsTo(file, moduleOf(statement), places),
    )
    .reduceRight((rest, statement) => {
      const end = rest.indexOf('\n', statement.getEnd());
      return rest.slice(0, statement.getStart()) + rest.slice(end < 0 ? rest.length : end + 1);
    }, text);
}

/** The names that a registry exports. */
export function exportsOf(text: string): string[] {
  const { statements } = ts.createSourceFile('registry.ts', text, ts.ScriptTarget.Latest, true);
  return statements.flatMap((statement) =>
    ts.isExportDeclaration(statement) &&
    statement.exportClause &&
    ts.isNamedExports(statement.exportClause)
      ? statement.exportClause.elements.map(({ name }) => name.text)
      : [],
  );
}

/** @throws {Refusal} naming the first file that stays and imports what goes. */
export function checkImports(after: ReadonlyMap<string, string>, places: readonly string[]): void {
  for (const [file, text] of after) {
    if (!isSource(file)) continue;
    for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles) {
      if (!leadsTo(file, fileName, places)) continue;
      throw new Refusal(
        `${file} imports ${fileName}, which would be removed: remove that import first.`,
      );
    }
  }
}

function moduleOf(statement: Statement): string | undefined {
  const name = ts.isExportDeclaration(statement) ? statement.moduleSpecifier : undefined;
  return name && ts.isStringLiteral(name) ? name.text : undefined;
}

function leadsTo(file: string, module: string | undefined, places: readonly string[]): boolean {
  if (module === undefined || !/^[.~]/.test(module)) return false;
  const target = module.startsWith('~/')
    ? path.posix.join('app', module.slice(2))
    : path.posix.join(path.posix.dirname(file), module);
  return ['', '.ts', '.tsx'].some((extension) => isIn(places, target + extension));
}
