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
 * stylesheet is imported as a file instead (`app/components/toast.tsx`). Development allows it.
 */
function sonnerWithoutInlineStyles(): Plugin {
  return {
    name: 'gatehouse:sonner-styles',
    apply: 'build',
    transform(code, id, options) {
      if (options?.ssr || !/sonner\/dist\/index\.mjs/.test(id)) return;
      const call = /^__insertCSS\(.*\);$/m;
      if (!call.test(code)) this.error('sonner no longer adds its styles where they were removed.');
      return { code: code.replace(call, ''), map: null };
    },
  };
}
