/** `npm run build`: compiles the program and its selected service to `dist/`. */
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { servedFolder } from '../src/served-service.ts';

const folder = fileURLToPath(new URL('..', import.meta.url));
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const isExample = servedFolder().href.includes('/examples/');
const project = isExample ? 'tsconfig.example.json' : 'tsconfig.build.json';

// Otherwise, files of an earlier build would be served and packed.
rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
const options = { cwd: folder, stdio: 'inherit' } as const;
process.exitCode = spawnSync(process.execPath, [compiler, '-p', project], options).status ?? 1;
