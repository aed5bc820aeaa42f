/** `.env.example` and `docs/settings.md` of the features that stay, from the declarations of their settings. */
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

/**
 * @param root a repository whose packages are installed.
 * @param registry the text of {@link settingsRegistry}, without the features that go.
 * @throws {Refusal} if the settings cannot be loaded.
 */
export async function settingDocuments(
  root: string,
  registry: string,
): Promise<[file: string, text: string][]> {
  const place = path.join(root, settingsRegistry);
  const load = async (file: string) => (await import(pathToFileURL(file).href)) as object;
  try {
    const kept = exportsOf(registry);
    const all = Object.entries(await load(place));
    const groups = Object.fromEntries(all.filter(([name]) => kept.includes(name)));
    const { envExample, settingsPage } = (await load(
      createRequire(place).resolve('@gatehouse/server/settings'),
    )) as Documents;
    return [
      ['.env.example', envExample(groups)],
      ['docs/settings.md', settingsPage(groups)],
    ];
  } catch (error) {
    const [reason] = String(error).split('\n');
    throw new Refusal(`The settings in ${settingsRegistry} cannot be loaded: ${reason}`);
  }
}
