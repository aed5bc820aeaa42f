/**
 * The MCP server over HTTP and the service it wraps, as child processes, for development. They are
 * programs of another workspace: nothing of it is imported.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { childEnv } from './env';
import { startProgram, type Program, type ProgramOptions } from './program';

type Common = Pick<ProgramOptions, 'signal' | 'onLine'> & { port: number };

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
const MAIN = 'mcp-server/src/main.ts';

/** Between the two programs on this machine. */
const TOKEN = 'example-development-token';
/** Where the settings of a service that is not wrapped yet look for the example service. */
const DEVELOPMENT_URL = 'http://127.0.0.1:4010';

/** The company directory that the example of the MCP server asks, and a new service at first. */
export function startExampleService({ port, ...common }: Common): Promise<Program> {
  return startProgram({
    name: 'The example service',
    arguments: ['--import', 'tsx', 'mcp-server/example-service/main.ts'],
    env: childEnv({ EXAMPLE_SERVICE_PORT: String(port), EXAMPLE_API_TOKEN: TOKEN }),
    // It lets nobody in without its token.
    ready: { url: `http://127.0.0.1:${port}/`, statuses: [401] },
    ...common,
  });
}

/**
 * The settings by which the service that `entry` serves asks the example service: the example does, and so
 * does each that `npm run mcp:new` made, under a name of its own, until it is given an address.
 *
 * @param url of the example service.
 * @returns undefined for a service with an address of its own.
 */
export function settingsForExample(url: string, entry = MAIN): Record<string, string> | undefined {
  const main = path.join(REPOSITORY, entry);
  const [, file = '', service = ''] =
    /'(\.[\w./]*\/(\w+)\/settings\.ts)'/.exec(readFileSync(main, 'utf8')) ?? [];
  const settings = path.join(path.dirname(main), file);
  if (file === '' || !existsSync(settings)) return undefined;
  const text = readFileSync(settings, 'utf8');
  if (!text.includes(TOKEN) || !text.includes(DEVELOPMENT_URL)) return undefined;
  const prefix = `${service.toUpperCase()}_API`;
  return { [`${prefix}_BASE_URL`]: url, [`${prefix}_TOKEN`]: TOKEN };
}

/** The folder that holds the source of the MCP server. */
export const MCP_SOURCE = path.join(REPOSITORY, path.dirname(MAIN));

/**
 * The MCP server.
 *
 * @param settings of the wrapped service. The environment's own come first.
 * @param entry the program to run.
 */
export function startMcpServer({
  port,
  settings,
  entry = MAIN,
  ...common
}: Common & { settings: Record<string, string> | undefined; entry?: string }): Promise<Program> {
  return startProgram({
    name: 'The MCP server',
    arguments: ['--import', 'tsx', entry, '--http'],
    env: childEnv(
      { MCP_HOST: '127.0.0.1', MCP_PORT: String(port) },
      { ...settings, LOG_LEVEL: 'warn' },
    ),
    ready: { url: `http://127.0.0.1:${port}/healthz`, statuses: [200] },
    ...common,
  });
}
