/** The simulator's engine contains no name of a site's operation: it receives the operations from `e2e/site.ts`. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { FAULT_TABLE } from '@gatehouse/simulator/platform';
import { platform } from '../../e2e/platform';

const engine = fileURLToPath(new URL('../../packages/simulator', import.meta.url));
/** The engine's tests define their own operations. */
const isTest = /(^|\/)(test|negative-control|node_modules)\/|\.(test|spec)\./;

const sources = readdirSync(engine, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll(path.sep, '/'))
  .filter((file) => /\.(ts|mjs|js|html)$/.test(file) && !isTest.test(file));

/** Operations named in a text, in quotes or as a path segment. */
function namedIn(text: string): string[] {
  // Fault kinds, browser events and a Playwright reporter may have the same names.
  const ambiguous = new Set<string>(FAULT_TABLE.map(({ kind }) => kind));
  const own = text.replaceAll(/addEventListener\('\w+'|\['list'\]/g, '');
  return platform.operations.flatMap(({ name, path }) => {
    const parts = path.split('/').filter((part) => part && !part.startsWith(':'));
    return [
      ...(!ambiguous.has(name) && new RegExp(`(['"\`])${name}\\1`).test(own) ? [name] : []),
      ...parts.filter((part) => new RegExp(`/${part}\\b`).test(own)),
    ];
  });
}

test.each(sources)('%s names no operation', (file) => {
  expect(namedIn(readFileSync(path.join(engine, file), 'utf8'))).toEqual([]);
});

test('a named operation is reported', () => {
  expect(sources.length).toBeGreaterThan(30);
  expect(namedIn("await platform.faults.set('submit', fault);")).toEqual(['submit']);
  expect(namedIn('fetch(`${internalUrl}/generations`)')).toContain('generations');
  expect(namedIn("kind: 'status'; form.addEventListener('submit', send)")).toEqual([]);
});
