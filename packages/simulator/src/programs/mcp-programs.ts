/**
 * The MCP server over HTTP and the service it wraps, as child processes, for development. They belong to
 * another workspace: nothing of it is imported.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { childEnv } from './env.ts';
import { siteFolder, startProgram, type Program, type ProgramOptions } from './program.ts';

type Common = Pick<ProgramOptions, 'signal' | 'onLine'> & { port: number };

const MAIN = 'mcp-server/main.ts';
const SETTINGS = 'mcp-server/settings.ts';
/** The server's package, as the repository's program imports it: a link, or installed. */
const PACKAGE = 'node_modules/@gatehouse/mcp';

/** The program of the service that a new MCP server wraps: in TypeScript, or as packed. */
function exampleIn(root: string): string | undefined {
  return ['ts', 'js']
    .map((extension) => path.join(root, PACKAGE, `examples/directory/api/start.${extension}`))
    .find((file) => existsSync(file));
}

/** The token between the two programs on this machine. */
const TOKEN = 'example-development-token';

/** The company directory, which is the MCP server's example service. */
export function startExampleService({ port, ...common }: Common): Promise<Program> {
  return startProgram({
    name: 'The example service',
    arguments: ['--import', 'tsx', exampleIn(siteFolder) ?? ''],
    env: childEnv({ EXAMPLE_SERVICE_PORT: String(port), EXAMPLE_API_TOKEN: TOKEN }),
    // Without its token it answers 401.
    ready: { url: `http://127.0.0.1:${port}/`, statuses: [401] },
    ...common,
  });
}

/**
 * The settings that connect the MCP server to the example service: used until the repository wraps a service of
 * its own.
 *
 * @param url of the example service.
 * @returns undefined if the repository wraps another service, or has no example.
 */
export function settingsForExample(
  url: string,
  root = siteFolder,
): Record<string, string> | undefined {
  const settings = path.join(root, SETTINGS);
  const wraps = existsSync(settings) ? readFileSync(settings, 'utf8') : '';
  if (!wraps.includes('EXAMPLE_API_BASE_URL') || exampleIn(root) === undefined) return undefined;
  return { EXAMPLE_API_BASE_URL: url, EXAMPLE_API_TOKEN: TOKEN };
}

/** The folder of the MCP server's service, in a repository that has one. */
export const MCP_SOURCE = path.join(siteFolder, 'mcp-server');

/** The source of the server's package, without what is installed with it. */
export const MCP_PACKAGE_SOURCE = path.join(siteFolder, PACKAGE, 'src');

/** The package's example services, one of which has the API that a new MCP server wraps. */
export const MCP_EXAMPLES = path.join(siteFolder, PACKAGE, 'examples');

/**
 * Starts the MCP server.
 *
 * @param settings of the wrapped service. The process's environment takes precedence.
 */
export function startMcpServer({
  port,
  settings,
  ...common
}: Common & { settings: Record<string, string> | undefined }): Promise<Program> {
  return startProgram({
    name: 'The MCP server',
    arguments: ['--import', 'tsx', MAIN, '--http'],
    env: childEnv(
      { MCP_HOST: '127.0.0.1', MCP_PORT: String(port) },
      { ...settings, LOG_LEVEL: 'warn' },
    ),
    ready: { url: `http://127.0.0.1:${port}/healthz`, statuses: [200] },
    ...common,
  });
}
