/** The blocks of code in the site's recipes, and the site with all of them followed. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');
const here = path.join(root, 'docs/recipes');

interface Block {
  recipe: string;
  /** The file that the block is, or adds lines to. */
  title: string | undefined;
  /** The line of that file after which the block's lines stand, or before which. Imports go to the top. */
  after: string | undefined;
  before: string | undefined;
  /** The line of that file that the block's lines stand in place of. */
  instead: string | undefined;
  code: string;
}

/** The tool's is the MCP server's, and has a test of its own. */
export const recipes = (await readdir(here)).filter(
  (name) => name.endsWith('.md') && name !== 'tool.md',
);
export const blocks: Block[] = [];
for (const recipe of recipes) {
  const text = await readFile(path.join(here, recipe), 'utf8');
  for (const [, language = '', info = '', code = ''] of text.matchAll(
    /^```(\w*)([^\n]*)\n(.*?)^```$/gms,
  )) {
    // What is typed into a terminal.
    if (language === 'sh') continue;
    const said = (name: string) => new RegExp(` ${name}="([^"]+)"`).exec(info)?.[1];
    blocks.push({
      recipe,
      title: said('title'),
      after: said('after'),
      before: said('before'),
      instead: said('instead'),
      code,
    });
  }
}
export const routesFile = 'app/routes.ts';

const addsLines = ({ title, after, before, instead }: Block) =>
  title === routesFile || [after, before, instead].some((line) => line !== undefined);

/** The blocks that are a whole file. */
export const files = blocks.filter((block) => !addsLines(block));
export const routeLines = blocks
  .filter(({ title }) => title === routesFile)
  .map(({ code }) => code);

/**
 * What each file says once every recipe is followed, by its path.
 * @param folder - The site: this repository, or one that was made of it.
 * @throws {Error} for a line that is to be found in a file and is not there once.
 */
export async function followedRecipes(folder = root): Promise<Map<string, string>> {
  // A made site has the recipes that it can follow.
  const followed = blocks.filter(({ recipe }) =>
    existsSync(path.join(folder, 'docs/recipes', recipe)),
  );
  const sources = new Map(
    followed
      .filter((block) => !addsLines(block))
      .map(({ title = '', code }) => [title, code] as const),
  );
  // Lines that replace another come first: other recipes' lines stand after them.
  const adding = followed
    .filter(addsLines)
    .sort((one, other) => Number(one.instead === undefined) - Number(other.instead === undefined));
  for (const block of adding) {
    const { title = '', after, instead, before = "  route('api/*'", code } = block;
    const text = sources.get(title) ?? (await readFile(path.join(folder, title), 'utf8'));
    const line = instead ?? after;
    const anchor = line === undefined ? `\n${before}` : `\n${line}\n`;
    if (text.split(anchor).length !== 2) throw new Error(`${title} has no one line: ${anchor}`);
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
