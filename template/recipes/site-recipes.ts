/** The blocks of code in the site's recipes. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');
const here = path.join(root, 'docs/recipes');

interface Block {
  recipe: string;
  language: string;
  /** The file that the block is, or adds lines to. */
  title: string | undefined;
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
    blocks.push({ recipe, language, title: /title="([^"]+)"/.exec(info)?.[1], code });
  }
}
export const routesFile = 'app/routes.ts';
/** All but the lines for the routes. */
export const files = blocks.filter(({ title }) => title !== routesFile);
export const routeLines = blocks
  .filter(({ title }) => title === routesFile)
  .map(({ code }) => code);
