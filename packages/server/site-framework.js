/** The framework that a site is made with. JavaScript, because Vite and Vitest load it before they can load TypeScript. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * @param {string} root the site's folder
 * @returns {'remix' | 'react-router'} the one that its `package.json` depends on
 */
export function frameworkOf(root) {
  /** @type {{ dependencies?: Record<string, string> }} */
  const { dependencies = {} } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  if ('@remix-run/react' in dependencies) return 'remix';
  return 'react-router' in dependencies ? 'react-router' : 'remix';
}
