/**
 * `gatehouse-mcp bundle`: creates an MCP bundle for desktop applications, `dist/<name>.mcpb`, with the built program, its
 * production dependencies, and a manifest that declares the service's settings. Required settings must be set in
 * the environment, because the service is created to list its tools.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packExtension } from '@anthropic-ai/mcpb';
import { definitionOf } from '../src/adapters/runtime.ts';
import { describeSettings, readSettings } from '../src/env.ts';
import { loadService } from '../src/served-service.ts';
import { folder, program } from './author-folder.ts';
import { bundleManifest, bundleName } from './shipping/bundle-manifest.ts';
import { readPackageManifest } from './shipping/manifest.ts';

const staging = mkdtempSync(path.join(tmpdir(), 'bundle-'));
const lock = 'package-lock.json';

/** Files that are not needed at run time: a third of the total. */
const ignored = [
  '*.d.ts',
  '*.d.mts',
  '*.d.cts',
  '*.md',
  '.package-lock.json',
  lock,
  'docs/',
  'test/',
];

/** @throws Error if the command fails; its output has already been printed. */
function run(command: string, args: readonly string[], cwd: string): void {
  // On Windows, npm is a shell script.
  const shell = process.platform === 'win32';
  const { status } = spawnSync(command, args, {
    cwd,
    shell,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed.`);
}

async function bundle(): Promise<string> {
  const wrapped = await loadService(program);
  const service = wrapped.createService(readSettings(wrapped.settings).serviceSettings);
  const manifest = readPackageManifest(folder);
  const described = bundleManifest(manifest, {
    title: service.title,
    tools: definitionOf(service).registry.toolList,
    prompts: service.prompts,
    settings: describeSettings(wrapped.settings),
  });

  run('npm', ['run', 'build'], folder);
  for (const file of ['dist', 'LICENSE', 'README.md', lock]) {
    const from = path.join(folder, file);
    if (existsSync(from)) cpSync(from, path.join(staging, file), { recursive: true });
  }
  // npm reads the manifests of what it omits, too, and a package of the repository is in no registry.
  const needed = { ...manifest, scripts: undefined, devDependencies: undefined };
  writeFileSync(path.join(staging, 'package.json'), JSON.stringify(needed, null, 2));
  // Not `npm ci`, which needs a lock file for this manifest. Versions are those in the folder's lock file, if it has one.
  // Redis is for HTTP only. Install scripts could compile native code, which would work on this platform only.
  run('npm', ['install', '--omit=optional', '--ignore-scripts'], staging);
  writeFileSync(path.join(staging, 'manifest.json'), JSON.stringify(described, null, 2));
  writeFileSync(path.join(staging, '.mcpbignore'), `${ignored.join('\n')}\n`);

  const file = path.join(folder, 'dist', `${bundleName(manifest)}.mcpb`);
  const isPacked = await packExtension({ extensionPath: staging, outputPath: file, silent: true });
  if (!isPacked) throw new Error('The bundle could not be packed.');
  return file;
}

try {
  console.log(path.relative(process.cwd(), await bundle()));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(staging, { recursive: true, force: true });
}
