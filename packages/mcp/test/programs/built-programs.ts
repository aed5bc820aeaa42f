/** Compiles the programs that tests start, once for each run: starting them takes a third of the time with tsx. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build as bundle } from 'esbuild';
import type { TestProject } from 'vitest/node';

const folder = new URL('../../', import.meta.url);
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');

/** Writes to `.cache/programs/test/programs/`. */
export async function build(): Promise<void> {
  const project = fileURLToPath(new URL('test/programs/tsconfig.programs.json', folder));
  await promisify(execFile)(process.execPath, [compiler, '-p', project]);
  // The program reads its version from it, and the examples import the package by its name.
  const manifest = await readFile(new URL('package.json', folder), 'utf8');
  await writeFile(
    new URL('.cache/programs/package.json', folder),
    manifest.replaceAll(/(?<="\.\/.*)\.ts"/g, '.js"'),
  );
  // TypeScript here, which these programs are started without.
  await bundle({
    absWorkingDir: fileURLToPath(folder),
    entryPoints: ['@gatehouse/http'],
    outfile: '.cache/programs/node_modules/@gatehouse/http/index.js',
    bundle: true,
    platform: 'node',
  });
}

export default async function setup(project: TestProject): Promise<void> {
  await build();
  project.onTestsRerun(build);
}
