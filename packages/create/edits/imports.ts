/** Imports of what goes, which only an owner's own files have. */
import { createRequire } from 'node:module';
import type * as TypeScript from 'typescript';
import type { Files } from '../plan.ts';
import { Refusal } from '../request/refusal.ts';
import { isSource, leadsTo } from './registries.ts';

// Loaded by `require`, because `tsx` would compile an imported package, and this one is 9 MB.
const require = createRequire(import.meta.url);

/** @throws {Refusal} naming the first file that stays and imports what goes. */
export function checkImports(after: Files, places: readonly string[]): void {
  const ts = require('typescript') as typeof TypeScript;
  for (const [file, content] of after) {
    if (!isSource(file)) continue;
    const text = Buffer.from(content).toString();
    for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles) {
      if (!leadsTo(file, fileName, places)) continue;
      throw new Refusal(
        `${file} imports ${fileName}, which would be removed: remove that import first.`,
      );
    }
  }
}
