/**
 * The MCP server over HTTP and the service it wraps, as child processes, for development. They are
 * programs of another workspace: nothing of it is imported.
 */
import { childEnv } from './env';
import { startProgram, type Program, type ProgramOptions } from './program';

type Common = Pick<ProgramOptions, 'signal' | 'onOutput'> & { port: number };

/** Between the two programs on this machine. */
const TOKEN = 'example-development-token';

/** The company directory that the example of the MCP server asks. */
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
 * The MCP server, started again when its source changes.
 *
 * @param upstreamUrl of the example service. The environment's own `EXAMPLE_API_` settings come first.
 * @param entry the program to run.
 */
export function startMcpServer({
  port,
  upstreamUrl,
  entry = 'mcp-server/src/main.ts',
  ...common
}: Common & { upstreamUrl: string; entry?: string }): Promise<Program> {
  return startProgram({
    name: 'The MCP server',
    arguments: ['--watch', '--import', 'tsx', entry, '--http'],
    env: childEnv(
      { MCP_HOST: '127.0.0.1', MCP_PORT: String(port) },
      { EXAMPLE_API_BASE_URL: upstreamUrl, EXAMPLE_API_TOKEN: TOKEN, LOG_LEVEL: 'warn' },
    ),
    ready: { url: `http://127.0.0.1:${port}/healthz`, statuses: [200] },
    ...common,
  });
}
