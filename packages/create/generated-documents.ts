/** The documents that are generated: those of settings, from their declarations, and the import rules, from lint's. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { exportsOf } from './edits/registries.ts';
import type { Files, Plan } from './plan.ts';
import { Refusal } from './request/refusal.ts';

/** The registry of the site's settings: a group for each feature, by its name. */
const settingsRegistry = 'app/settings.server.ts';

/** The documents for the names of the groups that stay, and for the paths of `app/` that there are. */
export type GeneratedDocuments = (
  groups: readonly string[],
  exists: (name: string) => boolean,
) => [file: string, text: string][];

interface Documents {
  envExample: (groups: object) => string;
  settingsPage: (groups: object) => string;
}

interface Layers {
  importRulesPage: (exists: (name: string) => boolean) => string;
}

/**
 * @param root a repository whose packages are installed.
 * @throws {Refusal} if the settings cannot be loaded.
 */
export async function loadDocuments(root: string): Promise<GeneratedDocuments> {
  const place = path.join(root, settingsRegistry);
  try {
    // The site's own: where sites are created, there is none.
    const { tsImport } = await import('tsx/esm/api');
    const load = async (file: string) =>
      (await tsImport(pathToFileURL(file).href, import.meta.url)) as object;
    const all = Object.entries(await load(place));
    const { resolve } = createRequire(place);
    const { envExample, settingsPage } = (await load(
      resolve('@gatehouse/server/settings'),
    )) as Documents;
    const { importRulesPage } = (await load(resolve('@gatehouse/lint/layers'))) as Layers;
    return (names, exists) => {
      const groups = Object.fromEntries(all.filter(([name]) => names.includes(name)));
      return [
        ['.env.example', envExample(groups)],
        ['docs/settings.md', settingsPage(groups)],
        ['docs/import-rules.md', importRulesPage(exists)],
      ];
    };
  } catch (error) {
    const [reason] = String(error).split('\n');
    throw new Refusal(`The settings in ${settingsRegistry} cannot be loaded: ${reason}`);
  }
}

/** The documents as a plan leaves them. None in a repository without settings. */
export async function generatedDocuments(
  files: Files,
  plan: Plan,
  load: () => Promise<GeneratedDocuments>,
): Promise<Files> {
  const before = files.get(settingsRegistry);
  if (!before) return new Map();
  const changed = plan.write.get(settingsRegistry);
  const documentsOf = await load();
  const left = [...files.keys()].filter((file) => !plan.remove.includes(file));
  const texts = documentsOf(exportsOf(changed ?? Buffer.from(before).toString()), (name) =>
    left.some((file) => `${file}/`.startsWith(`app/${name}/`)),
  );
  return new Map(texts.map(([file, text]) => [file, Buffer.from(text)]));
}
