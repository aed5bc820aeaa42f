/**
 * `gatehouse-mcp build`: bundles the program and its selected service to `dist/`, with everything that they import except
 * what must be one copy with what an operator installs. The service is a module of its own, which the program finds as in
 * the sources.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { servedModule } from '../src/served-service.ts';
import { folder, program } from './author-folder.ts';

const service = fileURLToPath(servedModule(program));
const name = path.basename(path.dirname(service));

// Otherwise, files of an earlier build would be served and packed.
rmSync(path.join(folder, 'dist'), { recursive: true, force: true });
await build({
  absWorkingDir: folder,
  entryPoints: { main: fileURLToPath(program), [`src/services/${name}/service`]: service },
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
