/** What the manifests of a site's packages `@gatehouse/*` say. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * @param {string} root the site's folder
 * @returns {{ dependencies?: Record<string, string>, builtIn?: string[] }[]}
 */
export function installedPackages(root) {
  const folder = path.join(root, 'node_modules/@gatehouse');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((name) => path.join(folder, name, 'package.json'))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')));
}

/**
 * What packages name in `builtIn` of their manifest: dependencies for which the server needs nothing installed, such as one that
 * lists test tools as peers, which npm would install in production, too.
 *
 * @param {string} root the site's folder
 * @returns {RegExp[]} what their names match
 */
export function builtIn(root) {
  const names = installedPackages(root).flatMap(({ builtIn = [] }) => builtIn);
  return names.length > 0 ? [new RegExp(`^(${names.join('|')})(/|$)`)] : [];
}
