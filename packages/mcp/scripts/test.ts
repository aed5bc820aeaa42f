/** `gatehouse-mcp test`: runs the tests of the author's folder with the folder's own Vitest, and its arguments. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { folder } from './author-folder.ts';

const { resolve } = createRequire(path.join(folder, 'package.json'));
const vitest = path.join(path.dirname(resolve('vitest/package.json')), 'vitest.mjs');
const config = fileURLToPath(new URL('author-tests.config.js', import.meta.url));
const args = ['run', '--root', folder, '--config', config, ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, [vitest, ...args], { stdio: 'inherit' }).status ?? 1;
