/**
 * `gatehouse-mcp dev`: serves over HTTP, starts again after each edit, and opens the Inspector's page beside it. With
 * `--no-inspector`, nothing is downloaded.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { folder } from './author-folder.ts';
import { inspectorCommand } from './inspector.ts';

const { values } = parseArgs({ options: { 'no-inspector': { type: 'boolean', default: false } } });
const port = process.env['MCP_PORT'] || '3333';
const watcher = createRequire(import.meta.url).resolve('tsx/cli');
const url = `http://127.0.0.1:${port}/mcp`;

const server = spawn(
  process.execPath,
  [watcher, 'watch', '--clear-screen=false', 'main.ts', '--http'],
  { cwd: folder, stdio: 'inherit', env: { ...process.env, MCP_PORT: port } },
);
console.log(`${url}: every edit restarts it.`);
const [command, args] = inspectorCommand('--transport', 'http', '--server-url', url);
const inspector = values['no-inspector'] ? undefined : spawn(command, args, { stdio: 'inherit' });
inspector?.once('error', () => {
  console.error('The Inspector did not start; the server runs without it.');
});
// Ctrl-C reaches all of them; any other end is this program's to pass on.
process.once('SIGTERM', () => server.kill('SIGTERM'));
const [code] = (await once(server, 'close')) as [number | null];
inspector?.kill('SIGTERM');
process.exitCode = code ?? 0;
