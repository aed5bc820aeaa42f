/**
 * Packs packages as they are published: JavaScript with types and maps, which hold the sources, in place of TypeScript, and a
 * manifest to match. Everything else keeps its place, so that a path in a document or a stack trace is that of the source.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import type { Files } from '../plan.ts';

interface Manifest {
  name: string;
  version: string;
  private?: boolean;
  exports: Record<string, string | Record<string, string>>;
  bin?: Record<string, string>;
  engines?: Record<string, string>;
  repository?: unknown;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** Folders and files of a package that nobody installs. */
const isLeftOut = (file: string) =>
  !isSkeleton(file) &&
  /^(test|bench|conformance|node_modules|\.cache|examples\/\w+\/test)(\/|$)|\.(test|spec)\.[jt]sx?$|^((playwright|vitest)\.config|test-\w+)\.ts$|^tsconfig\.json$/.test(
    file,
  );

/** What a command copies to make an author's own: as it is, with its tests. */
const isSkeleton = (file: string) => file.startsWith('examples/starter/');

/**
 * @param root the repository's folder.
 * @param files the repository's: what git ignores is in no package.
 * @param names folders of `packages/`.
 * @param into the folder for the tarballs. Created if need be.
 * @returns the tarballs' file names there.
 */
export async function pack(
  root: string,
  files: Files,
  names: readonly string[],
  into: string,
): Promise<string[]> {
  await mkdir(path.join(root, '.cache'), { recursive: true });
  await mkdir(into, { recursive: true });
  const packages = names.map((name) => readPackage(root, files, name));
  const versions = new Map(packages.map(({ manifest }) => [manifest.name, manifest.version]));
  const { engines, repository } = manifestIn(files, 'package.json');
  const staging = await mkdtemp(path.join(root, '.cache/packing-'));
  const packOne = async ({ name, files, manifest }: Package) => {
    const to = path.join(staging, name);
    for (const [file, content] of files) {
      if (isCompiled(file) || isScript(file)) continue;
      await mkdir(path.join(to, path.dirname(file)), { recursive: true });
      await writeFile(path.join(to, file), content);
    }
    const published = { engines, repository, ...publishedManifest(manifest, versions) };
    await writeFile(path.join(to, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
    const options = { cwd: to };
    const args = ['pack', '--silent', '--pack-destination', path.resolve(into)];
    const { stdout } = await promisify(execFile)('npm', args, options);
    return stdout.trim();
  };
  try {
    compile(root, staging, packages);
    const packed = packages.map(packOne);
    await Promise.allSettled(packed);
    return await Promise.all(packed);
  } finally {
    await rm(staging, { recursive: true });
  }
}

interface Package {
  /** Its folder's name. */
  name: string;
  folder: string;
  /** By their path in the folder. */
  files: Files;
  manifest: Manifest;
}

function readPackage(root: string, files: Files, name: string): Package {
  const place = `packages/${name}/`;
  const own = [...files]
    .filter(([file]) => file.startsWith(place))
    .map(([file, content]) => [file.slice(place.length), content] as const)
    .filter(([file]) => !isLeftOut(file) && file !== 'package.json');
  const manifest = manifestIn(files, `${place}package.json`);
  return { name, folder: path.join(root, place), files: new Map(own), manifest };
}

function manifestIn(files: Files, file: string): Manifest {
  return JSON.parse(Buffer.from(files.get(file) ?? '').toString()) as Manifest;
}

const isCompiled = (file: string) => /(?<!\.d)\.tsx?$/.test(file) && !isSkeleton(file);
/** Its types are written from its comments. */
const isScript = (file: string) => /\.m?js$/.test(file);

/** @throws {Error} with the compiler's first messages. */
function compile(root: string, staging: string, packages: readonly Package[]): void {
  const config = ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) =>
    ts.sys.readFile(file),
  );
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const program = ts.createProgram(
    packages.flatMap(({ folder, files }) =>
      [...files.keys()]
        .filter((file) => isCompiled(file) || isScript(file) || file.endsWith('.d.ts'))
        .map((file) => path.join(folder, file)),
    ),
    {
      ...options,
      noEmit: false,
      declaration: true,
      sourceMap: true,
      inlineSources: true,
      rootDir: path.join(root, 'packages'),
      outDir: staging,
    },
  );
  const { diagnostics } = program.emit();
  const wrong = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (wrong.length === 0) return;
  const host = {
    getCanonicalFileName: (file: string) => file,
    getCurrentDirectory: () => root,
    getNewLine: () => '\n',
  };
  throw new Error(`The packages do not compile.\n${ts.formatDiagnostics(wrong.slice(0, 5), host)}`);
}

/** Entries name the compiled files; the packages in this repository are needed in the version packed with it. */
function publishedManifest(manifest: Manifest, versions: ReadonlyMap<string, string>) {
  const entries = Object.entries(manifest.exports).filter(
    ([entry]) => !entry.startsWith('./test/'),
  );
  const compiled = (file: string) => file.replace(/(?<!\.d)\.tsx?$/, '.js');
  return {
    ...manifest,
    // `JSON.stringify` leaves these out.
    private: undefined,
    devDependencies: undefined,
    scripts: undefined,
    exports: Object.fromEntries(
      entries.map(([entry, target]) => {
        if (typeof target !== 'string' || !/\.([jt]sx?|mjs)$/.test(target)) return [entry, target];
        const types = target.replace(/\.(tsx?|js)$/, '.d.ts').replace(/\.mjs$/, '.d.mts');
        return [entry, { types, default: compiled(target) }];
      }),
    ),
    ...(manifest.bin && {
      bin: Object.fromEntries(
        Object.entries(manifest.bin).map(([name, file]) => [name, compiled(file)]),
      ),
    }),
    ...(manifest.dependencies && {
      dependencies: Object.fromEntries(
        Object.entries(manifest.dependencies).map(([name, range]) => [
          name,
          versions.get(name) ?? range,
        ]),
      ),
    }),
  };
}
