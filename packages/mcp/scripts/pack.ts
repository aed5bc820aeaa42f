/**
 * `gatehouse-mcp pack`: everything that is shipped, in `ship/`: the npm package, a bundle for desktop applications, the
 * entry for the MCP registry, and a Dockerfile.
 *
 * Required settings must be in the environment, because the service is created to list its tools.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { packExtension } from '@anthropic-ai/mcpb';
import { definitionOf } from '../src/adapters/runtime.ts';
import { describeSettings, readSettings } from '../src/env.ts';
import { folder, loadService } from './author-folder.ts';
import { bundleManifest, bundleName } from './shipping/bundle-manifest.ts';
import { readPackageManifest } from './shipping/manifest.ts';
import { registryEntry } from './shipping/registry-entry.ts';

const staging = mkdtempSync(path.join(tmpdir(), 'bundle-'));
const lock = 'package-lock.json';
const ship = path.join(folder, 'ship');

/** What is not needed at run time: tests, and the sources and types of dependencies. */
const ignored = [
  ...['*.d.ts', '*.d.mts', '*.d.cts', '*.ts', '*.md', '*.map', '*.test.*'],
  ...['.package-lock.json', lock, 'docs/', 'test/', 'tests/', '__tests__/', 'src/'],
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

async function pack(): Promise<string[]> {
  const wrapped = await loadService();
  const service = wrapped.createService(readSettings(wrapped.settings).serviceSettings);
  const manifest = readPackageManifest(folder);
  const settings = describeSettings(wrapped.settings);
  const described = bundleManifest(manifest, {
    title: service.title,
    tools: definitionOf(service).registry.listResult.tools,
    hasToolsBySettings: wrapped.hasToolsBySettings ?? false,
    prompts: service.prompts,
    settings,
  });

  rmSync(ship, { recursive: true, force: true });
  mkdirSync(ship);
  await import('./build.ts');
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

  const bundle = path.join(ship, `${bundleName(manifest)}.mcpb`);
  const isPacked = await packExtension({
    extensionPath: staging,
    outputPath: bundle,
    silent: true,
  });
  if (!isPacked) throw new Error('The bundle could not be packed.');
  const entry = `${JSON.stringify(registryEntry(manifest, settings), null, 2)}\n`;
  writeFileSync(path.join(ship, 'server.json'), entry);
  for (const file of ['Dockerfile', 'Dockerfile.dockerignore']) {
    cpSync(new URL(`shipping/${file}`, import.meta.url), path.join(ship, file));
  }
  run('npm', ['pack', '--ignore-scripts', '--pack-destination', ship], folder);
  return readdirSync(ship).sort();
}

try {
  for (const file of await pack()) console.log(`ship/${file}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(staging, { recursive: true, force: true });
}
