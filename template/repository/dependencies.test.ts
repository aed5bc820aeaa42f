/** The lists of dependencies in `packages/server/vite/dependencies.js`: what they lack, Vite discovers late, and reloads the page. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { siteServer } from '@gatehouse/server/vite';
import ts from 'typescript';
import type { Plugin } from 'vite';
import { expect, test } from 'vitest';
import { documentsOf } from './documents';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { read, files } = documentsOf(root);

/** What the pages' own modules import; tests, programs and the route configuration are not loaded with them. */
const imported = new Set(
  files
    .filter(
      (file) =>
        /^(app|packages\/(accounts|frame|platform|store)\/src)\/.*\.tsx?$/.test(file) &&
        !/\.(test|d)\.tsx?$/.test(file),
    )
    .filter((file) => !/^app\/server\/|\/testing\/|(^|\/)routes\.ts$/.test(file))
    .flatMap((file) => valueImportsOf(read(file)))
    .filter((name) => !/^(~\/|\.|node:|virtual:)|\.css$/.test(name)),
);

/** Frameworks declare these themselves. */
const ofFrameworks = ['react', 'react-dom', '@remix-run/react', 'react-router'];

function valueImportsOf(text: string): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    const isValue =
      (ts.isImportDeclaration(node) &&
        node.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword) ||
      (ts.isExportDeclaration(node) && !node.isTypeOnly);
    const module = isValue
      ? node.moduleSpecifier
      : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
        ? node.arguments[0]
        : undefined;
    if (module && ts.isStringLiteral(module)) names.push(module.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('x.tsx', text, ts.ScriptTarget.Latest, false));
  return names;
}

async function declared(): Promise<{ include: string[]; exclude: string[] }> {
  const plugins = [siteServer()].flat(9) as Plugin[];
  const { config } = plugins.find(({ name }) => name === 'gatehouse:dependencies') ?? {};
  if (typeof config !== 'function') throw new Error('The plugin has another name.');
  const made = config.call({} as never, { root }, { command: 'serve', mode: 'development' });
  const { include = [], exclude = [] } = (await made)?.optimizeDeps ?? {};
  return { include, exclude };
}

test('every package that a page’s modules import is declared for the browser or for the server', async () => {
  const { include, exclude } = await declared();
  const isDeclared = (name: string) =>
    [...exclude, ...ofFrameworks].some((known) => name === known || name.startsWith(`${known}/`)) ||
    include.includes(name);
  expect([...imported].filter((name) => !isDeclared(name))).toEqual([]);
});

test('every declared package is imported, by the pages’ modules or by the server', async () => {
  const { include, exclude } = await declared();
  const used = ['accounts', 'frame', 'platform', 'server', 'store'].reduce(
    (names, name) => {
      const manifest = JSON.parse(read(path.posix.join('packages', name, 'package.json'))) as {
        dependencies: Record<string, string>;
      };
      return [...names, ...Object.keys(manifest.dependencies)];
    },
    [...imported],
  );
  const isUsed = (name: string) =>
    used.some((known) => known === name || known.startsWith(`${name}/`));
  expect([...include, ...exclude].filter((name) => !isUsed(name))).toEqual([]);
});
