/** The documents that are generated: those of settings, from their declarations, and the import rules, from lint's. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { exportsOf } from './edits/registries.ts';
import { Refusal } from './request/refusal.ts';

/** The registry of the site's settings: a group for each feature, by its name. */
export const settingsRegistry = 'app/settings.server.ts';

interface Documents {
  envExample: (groups: object) => string;
  settingsPage: (groups: object) => string;
}

interface Layers {
  importRulesPage: (exists: (file: string) => boolean) => string;
}

/**
 * @param root a repository whose packages are installed.
 * @param registry the text of {@link settingsRegistry}, without the features that go.
 * @param exists whether the site has a path of `app/`.
 * @throws {Refusal} if the settings cannot be loaded.
 */
export async function settingDocuments(
  root: string,
  registry: string,
  exists: (file: string) => boolean,
): Promise<[file: string, text: string][]> {
  const place = path.join(root, settingsRegistry);
  const of = createRequire(place);
  try {
    // The site's own: where sites are created, there is none.
    const { tsImport } = await import('tsx/esm/api');
    const load = async (file: string) =>
      (await tsImport(pathToFileURL(file).href, import.meta.url)) as object;
    const kept = exportsOf(registry);
    const all = Object.entries(await load(place));
    const groups = Object.fromEntries(all.filter(([name]) => kept.includes(name)));
    const { envExample, settingsPage } = (await load(
      of.resolve('@gatehouse/server/settings'),
    )) as Documents;
    const { importRulesPage } = (await load(of.resolve('@gatehouse/lint/layers'))) as Layers;
    return [
      ['.env.example', envExample(groups)],
      ['docs/settings.md', settingsPage(groups)],
      ['docs/import-rules.md', importRulesPage(exists)],
    ];
  } catch (error) {
    const [reason] = String(error).split('\n');
    throw new Refusal(`The settings in ${settingsRegistry} cannot be loaded: ${reason}`);
  }
}
