/**
 * Vite's configuration for a site on this server. JavaScript, because Vite loads it before it can load
 * TypeScript.
 */
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { vitePlugin as remix } from '@remix-run/dev';

/**
 * Remix with the future flags that this server needs, and the build changes that a strict content security
 * policy requires.
 *
 * @returns {import('vite').PluginOption}
 */
export function siteServer() {
  return [
    remix({ future }),
    serverEntries(),
    build(),
    constantFlags(),
    shellChunk(),
    dependencies(),
    sonnerWithoutInlineStyles(),
    overlayWithNonce(),
  ];
}

const future = {
  v3_fetcherPersist: true,
  v3_relativeSplatPath: true,
  v3_routeConfig: true,
  v3_singleFetch: true,
  v3_throwAbortReason: true,
  // It uses sessionStorage unguarded: in a frame without storage access, every client navigation would
  // break.
  v3_lazyRouteDiscovery: false,
};

/**
 * Writes the flags into Remix's browser code, which otherwise reads them at run time: what they switch off is left out of
 * the build.
 *
 * @returns {import('vite').Plugin}
 */
function constantFlags() {
  return {
    name: 'gatehouse:constant-flags',
    apply: 'build',
    transform(code, id, options) {
      if (options?.ssr || !id.includes('/@remix-run/react/dist/esm/')) return;
      const flagged = code.replace(/\b(?:\w+\.)*future\.(v3_\w+)/g, (whole, name) =>
        name in future ? String(future[/** @type {keyof typeof future} */ (name)]) : whole,
      );
      return { code: flagged, map: null };
    },
  };
}

/**
 * Fails when code for the browser imports the server's part of a package. Remix has removed loaders and actions, and what
 * only they import, by then; its own check reads files' names, which a package's entry does not have.
 *
 * @returns {import('vite').Plugin}
 */
function serverEntries() {
  return {
    name: 'gatehouse:server-entries',
    enforce: 'pre',
    resolveId(id, importer, options) {
      const isChecked =
        importer !== undefined && !options.ssr && !('scan' in options && options.scan);
      if (!isChecked || !/^@gatehouse\/(server(\/(?!route$|origins$)|$)|\w+\/server$)/.test(id))
        return;
      const file = path.relative(process.cwd(), importer.replace(/\?.*/, ''));
      this.error(
        `${file} imports ${id}, which runs on the server only: use it in a loader, an action or a .server.ts file.`,
      );
    },
  };
}

/** An optional program of the site. */
const store = 'app/server/store.ts';

/**
 * Builds `app/server/main.ts` next to Remix's own `index.js`, for `npm start`, and `app/server/store.ts`, if
 * it exists, for `npm run store`.
 *
 * @returns {import('vite').Plugin}
 */
function build() {
  return {
    name: 'gatehouse:build',
    enforce: 'post',
    config(config, { isSsrBuild }) {
      config.build ??= {};
      // Every browser with `light-dark()` supports this.
      config.build.target ??= 'es2022';
      // Terser makes the home page's scripts 3 kB smaller, gzipped, than esbuild. The server build is not
      // minified, so that logged stack traces show the code's own function names.
      config.build.minify ??= isSsrBuild ? false : 'terser';
      config.build.terserOptions ??= { compress: { passes: 2 }, safari10: false };
      if (!isSsrBuild) return;
      config.build.rollupOptions = {
        ...config.build.rollupOptions,
        input: {
          index: 'virtual:remix/server-build',
          main: 'app/server/main.ts',
          ...(existsSync(path.resolve(config.root ?? '', store)) && { store }),
        },
        output: { format: 'esm', entryFileNames: '[name].js' },
      };
    },
  };
}

/**
 * Puts everything that all pages load into one chunk. Rollup would split it by what routes have in common,
 * and small chunks compress worse: the home page's scripts were 3 kB larger.
 *
 * @returns {import('vite').Plugin}
 */
function shellChunk() {
  /** @type {Set<string> | undefined} */
  let shell;
  return {
    name: 'gatehouse:shell-chunk',
    apply: 'build',
    config(_, { isSsrBuild }) {
      if (isSsrBuild) return;
      const output = { manualChunks, onlyExplicitManualChunks: true };
      return { build: { rollupOptions: { output } } };
    },
    buildStart() {
      shell = undefined;
    },
  };

  /**
   * @param {string} id
   * @param {import('vite').Rollup.ManualChunkMeta} modules
   */
  function manualChunks(id, { getModuleIds, getModuleInfo }) {
    shell ??= importedBy(
      [...getModuleIds()].filter((one) => /\/app\/(entry\.client|root)\.tsx$/.test(one)),
      getModuleInfo,
    );
    return shell.has(id) ? 'shell' : undefined;
  }
}

/**
 * The modules' imports, direct and indirect, without the modules themselves. Of an index that exports other modules'
 * names, only the modules whose names are imported.
 *
 * @param {readonly string[]} modules
 * @param {import('vite').Rollup.GetModuleInfo} infoOf
 */
function importedBy(modules, infoOf) {
  /** @type {Set<string>} */
  const found = new Set();
  const visit = (/** @type {string} */ id) => {
    for (const next of namedImportsOf(id, infoOf)) {
      if (found.has(next) || /\.css($|\?)/.test(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  for (const one of modules) visit(one);
  for (const one of modules) found.delete(one);
  return found;
}

/** An entry of a package in this repository, or installed. */
const isIndex = (/** @type {string} */ id) =>
  /\/(packages|@gatehouse)\/\w+\/.*\bindex\.[jt]s$/.test(id);

/** What a specifier is called in the module that it comes from. */
const nameOf = (/** @type {any} */ { imported, local }) =>
  /** @type {string} */ ((imported ?? local).name);

/**
 * @param {string} id
 * @param {import('vite').Rollup.GetModuleInfo} infoOf
 * @returns {readonly string[]}
 */
function namedImportsOf(id, infoOf) {
  const { ast, importedIds = [] } = infoOf(id) ?? {};
  if (!ast || !importedIds.some(isIndex)) return importedIds;
  const imports = ast.body.filter(
    (node) => node.type === 'ImportDeclaration' || node.type === 'ExportNamedDeclaration',
  );
  // Rollup lists a module's imports in the order of its statements.
  const sources = [...new Set(imports.flatMap(({ source }) => source?.value ?? []))];
  return importedIds.flatMap((imported, index) => {
    if (!isIndex(imported)) return imported;
    const names = imports
      .filter(({ source }) => source?.value === sources[index])
      .flatMap(({ specifiers }) => specifiers.map(nameOf));
    const exporting = infoOf(imported)?.importedIds ?? [];
    return exporting.filter((one) => infoOf(one)?.exports?.some((name) => names.includes(name)));
  });
}

/** Dependencies that browsers load. */
const browser = [
  '@conform-to/react',
  '@radix-ui/react-dialog',
  '@radix-ui/react-label',
  '@radix-ui/react-progress',
  'class-variance-authority',
  'd3-scale',
  'd3-shape',
  'get-nonce',
  'lucide-react',
  'ohash/crypto',
  'sonner',
];

/** Dependencies that route files import, and Remix removes from the client. */
const server = [
  '@better-auth/kysely-adapter',
  '@conform-to/zod',
  '@fastify/busboy',
  '@remix-run/node',
  '@streamparser/json',
  'any-ascii',
  'better-auth',
  'client-zip',
  'content-disposition',
  'eventsource-parser',
  'file-type',
  'ip-address',
  'kysely',
  'libsql',
  'nodemailer',
  'pg',
  'pg-connection-string',
  'pino',
  'pngjs',
  'rate-limiter-flexible',
  // Linked, or published as modules of their own: Vite loads them as they are.
  '@gatehouse/frame',
  '@gatehouse/server',
  'undici',
  'yaml',
  'zod',
];

/**
 * Declares dependencies, so that Vite need not discover them and reload the first page: its scan sees the
 * imports of route files before Remix removes their server code.
 *
 * @returns {import('vite').Plugin}
 */
function dependencies() {
  return {
    name: 'gatehouse:dependencies',
    config({ root = process.cwd() }) {
      const manifest = /** @type {{ dependencies?: Record<string, string> }} */ (
        JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
      );
      const isInstalled = (/** @type {string} */ name) =>
        name.replace(/^((@[^/]+\/)?[^/]+).*$/, '$1') in (manifest.dependencies ?? {});
      const installed = browser.filter(isInstalled);
      return { optimizeDeps: { exclude: server, include: installed } };
    },
  };
}

/**
 * Sonner inserts a `<style>` when it loads, which the content security policy blocks. The site imports its
 * stylesheet as a file instead.
 *
 * @returns {import('vite').Plugin}
 */
function sonnerWithoutInlineStyles() {
  const name = 'gatehouse:sonner-styles';
  const file = /sonner\/dist\/index\.mjs/;
  const call = /^__insertCSS\(.*\);$/m;
  /** @param {string} code */
  const withoutCall = (code) => {
    if (!call.test(code)) {
      throw new Error('sonner no longer inserts its styles where this plugin removes them.');
    }
    return code.replace(call, '');
  };
  return {
    name,
    // In development Vite pre-bundles it with esbuild only.
    config: () => ({
      optimizeDeps: {
        esbuildOptions: {
          plugins: [
            {
              name,
              setup(build) {
                build.onLoad({ filter: file }, async ({ path }) => ({
                  contents: withoutCall(await readFile(path, 'utf8')),
                }));
              },
            },
          ],
        },
      },
    }),
    transform(code, id, options) {
      if (options?.ssr || !file.test(id)) return;
      return { code: withoutCall(code), map: null };
    },
  };
}

/**
 * Adds the nonce to the `<style>` of Vite's error overlay, which, unlike Vite's other styles, has none.
 *
 * @returns {import('vite').Plugin}
 */
function overlayWithNonce() {
  return {
    name: 'gatehouse:overlay-nonce',
    apply: 'serve',
    transform(code, id) {
      if (!id.endsWith('/vite/dist/client/client.mjs')) return;
      const style = 'h("style", {}, templateStyle)';
      if (!code.includes(style))
        this.error('Vite’s overlay no longer inserts its styles where this plugin expects them.');
      return {
        code: code.replace(style, 'h("style", { nonce: cspNonce }, templateStyle)'),
        map: null,
      };
    },
  };
}
