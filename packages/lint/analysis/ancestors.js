/** The layouts over a route, as the site's tables of routes nest them. */
import * as ts from 'typescript';

/**
 * The files of the root and of the layouts over a route's file, outermost first.
 * @param {ts.Program} program
 * @param {string} file
 * @returns {ts.SourceFile[]}
 */
export function filesOver(program, file) {
  const [, folder] = /^(.*\/app\/)/.exec(file) ?? [];
  if (folder === undefined || file === `${folder}root.tsx`) return [];
  const tables = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(folder) && /routes\.ts$/.test(fileName));
  const over = tables.flatMap((table) => layoutsOver(table, file.slice(folder.length)) ?? []);
  return ['root.tsx', ...over].flatMap((name) => program.getSourceFile(folder + name) ?? []);
}

/**
 * @param {ts.Node} node @param {string} file relative to `app/`
 * @param {readonly string[]} outer the layouts that the node is in
 * @returns {readonly string[] | undefined} undefined if the route is not in it
 */
function layoutsOver(node, file, outer = []) {
  if (ts.isStringLiteralLike(node)) return node.text === file ? outer : undefined;
  // `layout('routes/shop.tsx', [ … ])`: the file is the last text before its children.
  const own =
    ts.isCallExpression(node) && ts.isArrayLiteralExpression(node.arguments.at(-1) ?? node);
  const texts = own ? node.arguments.filter(ts.isStringLiteralLike) : [];
  const layout = texts.at(-1)?.text;
  if (layout === file) return outer;
  const inner = layout === undefined ? outer : [...outer, layout];
  return ts.forEachChild(node, (child) => layoutsOver(child, file, inner));
}
