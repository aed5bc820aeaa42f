/** The code blocks in the site's recipes, and the site's sources with all recipes applied. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');
const here = path.join(root, 'docs/recipes');

interface Block {
  recipe: string;
  /** The path of the file that the block contains, or that it changes. */
  title: string | undefined;
  /** Where the block goes in a file that it changes. Its imports go to the top. */
  place: 'after' | 'before' | undefined;
  /** The line of the file at that place. */
  anchor: string;
  code: string;
}

/** The caption above a block, which is all that a reader sees of its place. */
const captioned =
  /(?:^(?:In )?`([^`]+)`(?:, (after|before) `([^`]+)`)?(?: \(imports go to the top\))?:\n\n)?^```(\w*)\n(.*?)^```$/gms;

/** Without those for the MCP server, which `tool.test.ts` tests. */
export const recipes = (await readdir(here, { recursive: true })).filter(
  (name) => name.endsWith('.md') && !name.startsWith('mcp'),
);
export const blocks: Block[] = [];
for (const recipe of recipes) {
  const text = await readFile(path.join(here, recipe), 'utf8');
  for (const [, title, place, anchor = '', language, code = ''] of text.matchAll(captioned)) {
    // Terminal commands.
    if (language === 'sh') continue;
    blocks.push({ recipe, title, place: place as Block['place'], anchor, code });
  }
}
export const routesFile = 'app/routes.ts';

const addsLines = ({ place }: Block) => place !== undefined;

/** The blocks that contain a whole file. */
export const files = blocks.filter((block) => !addsLines(block));
export const routeLines = blocks
  .filter(({ title }) => title === routesFile)
  .map(({ code }) => code);

/**
 * The content of each changed file after every recipe has been applied, by its path.
 * @param folder - The site: this repository, or one that was generated from it.
 * @param chosen - The recipes to apply, instead of all.
 * @throws {Error} if a block's line does not occur exactly once in its file.
 */
export async function followedRecipes(
  folder = root,
  chosen: readonly string[] = recipes,
): Promise<Map<string, string>> {
  // A generated site contains only the recipes that apply to it.
  const followed = blocks.filter(
    ({ recipe }) =>
      chosen.includes(recipe) && existsSync(path.join(folder, 'docs/recipes', recipe)),
  );
  const sources = new Map(
    followed
      .filter((block) => !addsLines(block))
      .map(({ title = '', code }) => [title, code] as const),
  );
  for (const { title = '', place, anchor, code } of followed.filter(addsLines)) {
    const text = sources.get(title) ?? (await readFile(path.join(folder, title), 'utf8'));
    const [line = '', ...more] = text.split('\n').filter((line) => line.trim() === anchor);
    if (line === '' || more.length > 0)
      throw new Error(`${title} must contain exactly one line: ${anchor}`);
    const imports = (code.match(/^import .*\n/gm) ?? [])
      .filter((line) => !text.includes(line))
      .join('');
    const added = code.replaceAll(/^import .*\n/gm, '');
    const changed = place === 'before' ? `\n${added}${line}\n` : `\n${line}\n${added}`;
    sources.set(
      title,
      text.replace(`\n${line}\n`, () => changed).replace(/^import /m, () => `${imports}import `),
    );
  }
  return sources;
}
