import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { vitePlugin as remix } from '@remix-run/dev';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';

declare module '@remix-run/node' {
  interface Future {
    v3_singleFetch: true;
  }
}

export default defineConfig({
  plugins: [
    tailwindcss(),
    remix({
      future: {
        v3_fetcherPersist: true,
        v3_relativeSplatPath: true,
        v3_routeConfig: true,
        v3_singleFetch: true,
        v3_throwAbortReason: true,
        // Keeps its state in sessionStorage, unguarded: with storage denied in a frame, every
        // client navigation breaks.
        v3_lazyRouteDiscovery: false,
      },
    }),
    serverEntry(),
    sonnerWithoutInlineStyles(),
    overlayWithNonce(),
  ],
  // Every browser that knows `light-dark()` knows this.
  // Terser makes the home page's scripts 3 kB smaller, gzipped, than esbuild does.
  build: { target: 'es2022', minify: 'terser' },
  resolve: { alias: { '~': fileURLToPath(new URL('app', import.meta.url)) } },
  optimizeDeps: {
    // Named, so that Vite need not discover them and reload the first page anyone opens: it finds
    // what route files import before Remix takes their server code out.
    exclude: [
      '@conform-to/zod',
      '@remix-run/node',
      'content-disposition',
      'file-type',
      'pino',
      'pngjs',
      'undici',
      'zod',
    ],
    include: [
      '@conform-to/react',
      '@radix-ui/react-dialog',
      '@radix-ui/react-label',
      '@radix-ui/react-progress',
      '@radix-ui/react-slot',
      'class-variance-authority',
      'get-nonce',
      'lucide-react',
      'ohash/crypto',
      'sonner',
    ],
  },
});

/** Builds `app/server/main.ts` beside Remix's own `index.js`, for `npm start`. */
function serverEntry(): Plugin {
  return {
    name: 'gatehouse:server-entry',
    enforce: 'post',
    config(config, { isSsrBuild }) {
      if (!isSsrBuild) return;
      const options = (config.build ??= {}).rollupOptions ?? {};
      // Traces in the log name the code's own functions.
      config.build.minify = false;
      config.build.rollupOptions = {
        ...options,
        input: { index: 'virtual:remix/server-build', main: 'app/server/main.ts' },
        output: { format: 'esm', entryFileNames: '[name].js' },
      };
    },
  };
}

/**
 * Sonner adds a `<style>` when it loads, which the site's content security policy refuses. Its
 * stylesheet is imported as a file instead (`app/ui/toast.tsx`).
 */
function sonnerWithoutInlineStyles(): Plugin {
  const name = 'gatehouse:sonner-styles';
  const file = /sonner\/dist\/index\.mjs/;
  const call = /^__insertCSS\(.*\);$/m;
  const withoutCall = (code: string) => {
    if (!call.test(code)) {
      throw new Error('sonner no longer adds its styles where they were removed.');
    }
    return code.replace(call, '');
  };
  return {
    name,
    // Development bundles it beforehand, by esbuild alone.
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

/** The `<style>` of Vite's error overlay, which comes without the nonce that Vite's other styles have. */
function overlayWithNonce(): Plugin {
  return {
    name: 'gatehouse:overlay-nonce',
    apply: 'serve',
    transform(code, id) {
      if (!id.endsWith('/vite/dist/client/client.mjs')) return;
      const style = 'h("style", {}, templateStyle)';
      if (!code.includes(style)) this.error('Vite’s overlay no longer adds its styles as it did.');
      return {
        code: code.replace(style, 'h("style", { nonce: cspNonce }, templateStyle)'),
        map: null,
      };
    },
  };
}
