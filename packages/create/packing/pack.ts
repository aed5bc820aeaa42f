/**
 * Packs packages as they are published: JavaScript with types and maps, which hold the sources, in place of TypeScript, and a
 * manifest to match. Everything else keeps its place, so that a path in a document or a stack trace is that of the source.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';

interface Manifest {
  name: string;
  version: string;
  private?: boolean;
  exports: Record<string, string | Record<string, string>>;
  bin?: Record<string, string>;
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
const isSkeleton = (file: string) => /(^|\/)skeleton\//.test(file);

/**
 * @param root the repository's folder.
 * @param names folders of `packages/`.
 * @param into the folder for the tarballs. Created if need be.
 * @returns the tarballs' file names there.
 */
export async function pack(
  root: string,
  names: readonly string[],
  into: string,
): Promise<string[]> {
  await mkdir(path.join(root, '.cache'), { recursive: true });
  await mkdir(into, { recursive: true });
  const staging = await mkdtemp(path.join(root, '.cache/packing-'));
  const packages = await Promise.all(names.map((name) => readPackage(root, name)));
  compile(root, staging, packages);
  const versions = new Map(packages.map(({ manifest }) => [manifest.name, manifest.version]));
  const packed = packages.map(async ({ name, folder, files, manifest }) => {
    const to = path.join(staging, name);
    for (const file of files.filter((file) => !isCompiled(file) && !isScript(file))) {
      await cp(path.join(folder, file), path.join(to, file));
    }
    const published = publishedManifest(manifest, versions);
    await writeFile(path.join(to, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
    const options = { cwd: to };
    const args = ['pack', '--silent', '--pack-destination', path.resolve(into)];
    const { stdout } = await promisify(execFile)('npm', args, options);
    return stdout.trim();
  });
  try {
    return await Promise.all(packed);
  } finally {
    await Promise.allSettled(packed);
    await rm(staging, { recursive: true });
  }
}

interface Package {
  /** Its folder's name. */
  name: string;
  folder: string;
  /** Relative to the folder. */
  files: string[];
  manifest: Manifest;
}

async function readPackage(root: string, name: string): Promise<Package> {
  const folder = path.join(root, 'packages', name);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !isLeftOut(file) && file !== 'package.json');
  const manifest = JSON.parse(
    await readFile(path.join(folder, 'package.json'), 'utf8'),
  ) as Manifest;
  return { name, folder, files, manifest };
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
      files
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
