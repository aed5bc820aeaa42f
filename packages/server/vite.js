/**
 * Vite's configuration for a site on this server. JavaScript, because Vite loads it before it can load
 * TypeScript.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { builtIn } from './installed-packages.js';
import { frameworkOf } from './site-framework.js';
import { dependencies } from './vite/dependencies.js';
import { shellChunk } from './vite/shell-chunk.js';

/** Of the site in whose folder Vite runs. */
const { framework } =
  frameworkOf(process.cwd()) === 'remix'
    ? await import('./vite/remix.js')
    : await import('./vite/react-router.js');

/**
 * The framework as this server needs it, and the build changes that a strict content security
 * policy requires.
 *
 * @returns {import('vite').PluginOption}
 */
export function siteServer() {
  return [
    framework.plugins(),
    serverEntries(),
    build(framework),
    packagesInBuild(),
    shellChunk(),
    dependencies(framework),
    sonnerWithoutInlineStyles(),
    overlayWithNonce(),
  ];
}

/**
 * Fails when code for the browser imports the server's part of a package. The framework has removed loaders and actions, and what
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
      if (
        !isChecked ||
        !/^@gatehouse\/(server(\/(?!route$|origins$|(remix|react-router)\/meta$)|$)|(accounts|http|simulator|store)(\/|$)|\w+\/server$)/.test(
          id,
        )
      )
        return;
      const file = path.relative(process.cwd(), importer.replace(/\?.*/, ''));
      this.error(
        `${file} imports ${id}, which runs on the server only: use it in a loader, an action or a .server.ts file.`,
      );
    },
  };
}

/**
 * Builds the packages into the server, installed ones like those linked in the template's repository: the proof reads
 * there what reaches the SDK. Installed ones bring maps, which the build's own maps continue to their TypeScript.
 *
 * @returns {import('vite').Plugin}
 */
function packagesInBuild() {
  return {
    name: 'gatehouse:packages-in-build',
    enforce: 'pre',
    config: ({ root = process.cwd() }, { command }) => ({
      ssr: { noExternal: [/^@gatehouse\//, ...(command === 'build' ? builtIn(root) : [])] },
    }),
    async load(id, options) {
      const isInstalled = /\/node_modules\/@gatehouse\/.+\.js$/.test(id);
      if (!options?.ssr || !isInstalled || !existsSync(`${id}.map`)) return;
      return { code: await readFile(id, 'utf8'), map: await readFile(`${id}.map`, 'utf8') };
    },
  };
}

/** Programs that a site may have: `npm run store`, and `node build/server/roles.js`. */
const programs = ['store', 'roles'];

/**
 * Builds `app/server/main.ts` next to the framework's own `index.js`, for `npm start`, and of `app/server/` the programs that
 * exist.
 *
 * Remix builds the browser's part and the server's one after the other; React Router both at once, as Vite's environments.
 *
 * @param {Pick<typeof framework, 'serverBuild'>} framework
 * @returns {import('vite').Plugin}
 */
function build({ serverBuild }) {
  let root = '';
  const serverOptions = () => ({
    // So that logged stack traces show the code's own function names.
    minify: /** @type {const} */ (false),
    // With Node's `--enable-source-maps`, they also show the sources' files and lines.
    sourcemap: true,
    rollupOptions: {
      input: {
        index: serverBuild,
        main: 'app/server/main.ts',
        ...Object.fromEntries(
          programs
            .map((name) => [name, `app/server/${name}.ts`])
            .filter(([, file]) => existsSync(path.resolve(root, file ?? ''))),
        ),
      },
      output: { format: /** @type {const} */ ('esm'), entryFileNames: '[name].js' },
    },
  });
  return {
    name: 'gatehouse:build',
    enforce: 'post',
    config(config, { isSsrBuild }) {
      root = config.root ?? '';
      config.build ??= {};
      // Every browser with `light-dark()` supports this.
      config.build.target ??= 'es2022';
      // Terser makes the home page's scripts 3 kB smaller, gzipped, than esbuild.
      config.build.minify ??= isSsrBuild ? false : 'terser';
      config.build.terserOptions ??= { compress: { passes: 2 }, safari10: false };
      if (!isSsrBuild) return;
      const { sourcemap, rollupOptions } = serverOptions();
      config.build.sourcemap ??= sourcemap;
      config.build.rollupOptions = { ...config.build.rollupOptions, ...rollupOptions };
    },
    configEnvironment(name, options, { isSsrBuild }) {
      return name === 'ssr' && !isSsrBuild ? { build: serverOptions() } : undefined;
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
