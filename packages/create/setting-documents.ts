/** `.env.example` and `docs/settings.md` of the features that stay, from the declarations of their settings. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The registry of the site's settings: a group for each feature, by its name. */
export const settingsRegistry = 'app/settings.server.ts';

interface Documents {
  envExample: (groups: object) => string;
  settingsPage: (groups: object) => string;
}

/**
 * @param root a repository whose packages are installed.
 * @param gone the features whose settings go.
 */
export async function settingDocuments(
  root: string,
  gone: readonly string[],
): Promise<[file: string, text: string][]> {
  const registry = path.join(root, settingsRegistry);
  const load = async (file: string) => (await import(pathToFileURL(file).href)) as object;
  const all = await load(registry);
  const groups = Object.fromEntries(Object.entries(all).filter(([name]) => !gone.includes(name)));
  const documents = (await load(
    createRequire(registry).resolve('@gatehouse/server/settings'),
  )) as Documents;
  return [
    ['.env.example', documents.envExample(groups)],
    ['docs/settings.md', documents.settingsPage(groups)],
  ];
}
