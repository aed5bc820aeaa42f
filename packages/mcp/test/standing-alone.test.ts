/**
 * The package is self-contained: its modules import only each other and declared dependencies, and its configuration
 * files extend nothing outside.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');

interface Manifest {
  readonly name: string;
  readonly dependencies: object;
  readonly optionalDependencies: object;
  readonly peerDependencies: object;
  readonly devDependencies: object;
}
const manifest = JSON.parse(read('package.json')) as Manifest;
const shipped = {
  // A package may import itself by its name.
  [manifest.name]: manifest,
  ...manifest.dependencies,
  ...manifest.optionalDependencies,
  ...manifest.peerDependencies,
};

const elsewhere = new Set(['bench/peers', 'test/release/clients']);

/**
 * Returns the modules below a folder, except the benchmark's peers, which have their own packages, and what release tests
 * copy beside a client that they install.
 */
function modulesIn(place: string): string[] {
  return readdirSync(path.join(folder, place), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(place, entry.name);
    if (entry.isFile()) return /\.(ts|m?js)$/.test(entry.name) ? [file] : [];
    const isOther = /^(node_modules|dist|\.\w+)$/.test(entry.name) || elsewhere.has(file);
    return isOther || !entry.isDirectory() ? [] : modulesIn(file);
  });
}

/** Whether a file is part of the installed package. */
function isShipped(file: string): boolean {
  const isProgram =
    /^(src\/(?!testing\/)|scripts\/(?!skeleton\/)|examples\/[^/]+\/(?!test\/))/.test(file);
  return isProgram && !/\.test\.ts$|-double\.ts$/.test(file);
}

/** Returns the package of `@scope/name/file.js` or `name/file.js`. */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Returns the imports of a module that do not resolve when the folder is on its own. */
function missing(file: string, text: string): string[] {
  const { importedFiles } = ts.preProcessFile(text);
  const names = importedFiles.map(({ fileName }) => fileName);
  return [...new Set(names)].filter((name) => {
    if (name.startsWith('node:') || builtinModules.includes(name)) return false;
    if (name.startsWith('.')) {
      const target = path.posix.join(path.posix.dirname(file), name);
      return target.startsWith('../') || !existsSync(path.join(folder, target));
    }
    const known = isShipped(file) ? shipped : { ...shipped, ...manifest.devDependencies };
    return !(packageOf(name) in known);
  });
}

const modules = modulesIn('');

test('each module imports only files of the folder and declared dependencies', () => {
  expect(modules).toEqual(
    expect.arrayContaining(['scripts/main.ts', 'lint/config.js', 'src/env.ts']),
  );
  const absent = modules.flatMap((file) =>
    // Templates that are copied elsewhere.
    file.startsWith('scripts/skeleton/')
      ? []
      : missing(file, read(file)).map((name) => [file, name]),
  );
  expect(absent).toEqual([]);
});

test('the check detects imports from outside the folder, undeclared packages, and development tools in the program', () => {
  const text = `
    import { readFileSync } from 'node:fs';
    import { z } from 'zod';
    import type { Redis } from 'ioredis';
    import { expect } from 'vitest';
    import { page } from '../../app/root.tsx';
    import { gone } from './gone.ts';
    export * from '@made/up/module.js';
    const later = await import('made-up-later');
  `;
  const nowhere = ['../../app/root.tsx', './gone.ts', '@made/up/module.js', 'made-up-later'];
  expect(missing('src/made-up.ts', text)).toEqual(['vitest', ...nowhere]);
  expect(missing('src/made-up.test.ts', text)).toEqual(nowhere);
});

test.each(readdirSync(folder).filter((file) => /^tsconfig.*\.json$/.test(file)))(
  '%s extends nothing outside the folder',
  (file) => {
    const { extends: base = './tsconfig.json' } = JSON.parse(read(file)) as { extends?: string };
    expect(path.posix.normalize(base)).toMatch(/^tsconfig[\w.]*\.json$/);
  },
);
