/** What a package's README says: its entries, the names that each exports, and the example. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

export interface Readme {
  entries: Map<string, { exports: string[]; needs: string[] }>;
  example: { language: string; code: string };
  /** What must be in the `package.json` where it is installed. */
  manifest: object;
  /** What the example prints: the comment after each `console.log`. */
  printed: string;
}

/** @param folder - The package's in `packages/`. */
export async function readReadme(folder: string): Promise<Readme> {
  const place = path.join(import.meta.dirname, '../../packages', folder, 'README.md');
  const text = await readFile(place, 'utf8');
  if (/^\| +\|/m.test(text)) throw new Error(`${place} has a row without an entry`);
  const quoted = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  const entries = new Map(
    [...text.matchAll(/^\| `([^`]+)` *\|([^|]*)\|([^|]*)\|$/gm)].map(([, entry, exports, use]) => [
      entry ?? '',
      {
        exports: quoted(exports).sort(),
        needs: quoted(/\bneeds (`[^`]+`(, | and )?)+/.exec(use ?? '')?.[0]),
      },
    ]),
  );
  const [[, language = '', code = ''] = [], ...more] = text.matchAll(
    /^```(tsx?|js|sh)\n(.*?)^```$/gms,
  );
  if (code === '' || more.length > 0) throw new Error(`${place} has no one example`);
  const printed = [...code.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].map(([, line]) => `${line}\n`);
  const [, manifest = '{}'] = /^```json\n(.*?)^```$/ms.exec(text) ?? [];
  return {
    entries,
    example: { language, code },
    manifest: JSON.parse(manifest) as object,
    printed: printed.join(''),
  };
}
