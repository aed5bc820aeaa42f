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
  /** The line of that file after, or before, which the block is inserted. Imports go to the top. */
  after: string | undefined;
  before: string | undefined;
  /** The line of that file that the block replaces. */
  instead: string | undefined;
  code: string;
}

/** Without `tool.md`, which is for the MCP server and has its own test, `tool.test.ts`. */
export const recipes = (await readdir(here)).filter(
  (name) => name.endsWith('.md') && name !== 'tool.md',
);
export const blocks: Block[] = [];
for (const recipe of recipes) {
  const text = await readFile(path.join(here, recipe), 'utf8');
  for (const [, language = '', info = '', code = ''] of text.matchAll(
    /^```(\w*)([^\n]*)\n(.*?)^```$/gms,
  )) {
    // Terminal commands.
    if (language === 'sh') continue;
    const attribute = (name: string) => new RegExp(` ${name}="([^"]+)"`).exec(info)?.[1];
    blocks.push({
      recipe,
      title: attribute('title'),
      after: attribute('after'),
      before: attribute('before'),
      instead: attribute('instead'),
      code,
    });
  }
}
export const routesFile = 'app/routes.ts';

const addsLines = ({ title, after, before, instead }: Block) =>
  title === routesFile || [after, before, instead].some((line) => line !== undefined);

/** The blocks that contain a whole file. */
export const files = blocks.filter((block) => !addsLines(block));
export const routeLines = blocks
  .filter(({ title }) => title === routesFile)
  .map(({ code }) => code);

/**
 * The content of each changed file after every recipe has been applied, by its path.
 * @param folder - The site: this repository, or one that was generated from it.
 * @throws {Error} if an `after`, `before` or `instead` line does not occur exactly once in its file.
 */
export async function followedRecipes(folder = root): Promise<Map<string, string>> {
  // A generated site contains only the recipes that apply to it.
  const followed = blocks.filter(({ recipe }) =>
    existsSync(path.join(folder, 'docs/recipes', recipe)),
  );
  const sources = new Map(
    followed
      .filter((block) => !addsLines(block))
      .map(({ title = '', code }) => [title, code] as const),
  );
  // Replacements come first, because other recipes use the replacing lines as anchors.
  const adding = followed
    .filter(addsLines)
    .sort((one, other) => Number(one.instead === undefined) - Number(other.instead === undefined));
  for (const block of adding) {
    const { title = '', after, instead, before = "  route('api/*'", code } = block;
    const text = sources.get(title) ?? (await readFile(path.join(folder, title), 'utf8'));
    const line = instead ?? after;
    const anchor = line === undefined ? `\n${before}` : `\n${line}\n`;
    if (text.split(anchor).length !== 2)
      throw new Error(`${title} must contain exactly one line: ${anchor}`);
    const imports = (code.match(/^import .*\n/gm) ?? [])
      .filter((line) => !text.includes(line))
      .join('');
    const lines = code.replaceAll(/^import .*\n/gm, '');
    const added = text.replace(anchor, () => {
      if (instead !== undefined) return `\n${lines}`;
      return after === undefined ? `\n${lines}${before}` : `\n${after}\n${lines}`;
    });
    sources.set(
      title,
      added.replace(/^import /m, () => `${imports}import `),
    );
  }
  return sources;
}
