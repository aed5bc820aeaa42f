/**
 * `gatehouse-mcp build`: bundles the program to `dist/`, with everything that it imports except what must be one copy with
 * what an operator installs.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { folder } from './author-folder.ts';

// Otherwise, files of an earlier build would be served and packed.
rmSync(path.join(folder, 'dist'), { recursive: true, force: true });
await build({
  absWorkingDir: folder,
  entryPoints: ['main.ts'],
  outdir: 'dist',
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  sourcemap: true,
  legalComments: 'linked',
  logLevel: 'warning',
  // OpenTelemetry registers globals for its version; Redis is optional.
  external: ['@opentelemetry/*', 'ioredis'],
  // Dependencies in CommonJS require modules of Node.js.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
});
