/** A release of the template, as `create-gatehouse` and `@gatehouse/create` bring it along. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { filesIn } from '../archive.ts';
import type { Feature } from '../features.ts';
import { planFor, samplesIn, type Files } from '../plan.ts';
import { preparedFor } from '../prepared.ts';
import { preview } from '../preview.ts';
import type { Request } from '../request/command-line.ts';
import { npmReasonOf, Refusal } from '../request/refusal.ts';
import { compareVersions, isVersion } from '../versions.ts';
import type { update } from './update.ts';

export interface Release {
  /** The template, with what is ready for each choice of features. */
  files: Files;
  version: string;
  /** What `--without` accepts. */
  samples: readonly Feature[];
  /** @returns the files of a site of it. */
  site: (request: Request) => Promise<Files>;
}

export function releaseOf(archive: Uint8Array): Release {
  const files = filesIn(archive);
  const manifest = Buffer.from(files.get('packages/create/package.json') ?? '{}').toString();
  return {
    files,
    version: (JSON.parse(manifest) as { version: string }).version,
    samples: samplesIn(files).present,
    async site(request) {
      const plan = planFor(files, request);
      if (!plan) throw new Error('The archive is a site, not the template.');
      return preview(files, plan, preparedFor(files, plan, request.name));
    },
  };
}

/** The program of a release, which composes its sites and knows how to move a site to it. */
export interface Program {
  releaseOf: typeof releaseOf;
  update: typeof update;
}

/**
 * Installs a release in a folder of its own, and loads it from there.
 *
 * @param wanted - Its version, or `latest`.
 * @param from - A folder with the tarballs of releases, instead of npm's registry.
 * @throws {Refusal} if npm cannot install it.
 */
export async function fetchRelease(
  wanted: string,
  from?: string,
): Promise<{ release: Release; program: Program }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'gatehouse-release-'));
  try {
    const packages =
      from === undefined ? [`create-gatehouse@${wanted}`] : await packedIn(from, wanted);
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--engine-strict'];
    const options = { cwd: folder, shell: process.platform === 'win32' };
    const args = ['install', ...quiet, '--prefix', folder, ...packages];
    await promisify(execFile)('npm', args, options).catch((error: unknown) => {
      throw new Refusal(
        `npm could not install the release ${wanted}, so nothing was changed: ${npmReasonOf(error)}`,
      );
    });
    const place = path.join(folder, 'node_modules/create-gatehouse');
    const { resolve } = createRequire(path.join(place, 'package.json'));
    const program = (await import(pathToFileURL(resolve('@gatehouse/create')).href)) as Program;
    const archive = await readFile(path.join(place, 'template.json.br'));
    return { release: program.releaseOf(archive), program };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @throws {Refusal} if the release is not in the folder. */
async function packedIn(folder: string, wanted: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const versions = names
    .flatMap((name) => /^create-gatehouse-(\d.*)\.tgz$/.exec(name)?.[1] ?? [])
    .filter(isVersion)
    .sort(compareVersions);
  const version = wanted === 'latest' ? versions.at(-1) : wanted;
  if (version === undefined) throw new Refusal(`There is no release in ${folder}.`);
  const packages = [`create-gatehouse-${version}.tgz`, `gatehouse-create-${version}.tgz`];
  const missing = packages.find((name) => !names.includes(name));
  if (missing !== undefined) throw new Refusal(`There is no ${missing} in ${folder}.`);
  return packages.map((name) => path.resolve(folder, name));
}
