/** The commands for an author's folder. */
interface Command {
  readonly purpose: string;
  readonly run: () => Promise<unknown>;
}

export const commands: Readonly<Record<string, Command>> = {
  new: {
    purpose: 'makes the folder of a service: gatehouse-mcp new <service> [folder]',
    run: () => import('./new.ts'),
  },
  dev: {
    purpose: 'serves over HTTP, restarts on an edit, and opens the MCP Inspector beside it',
    run: () => import('./dev.ts'),
  },
  test: {
    purpose: 'runs the tests of the folder with Vitest; its options can follow',
    run: () => import('./test.ts'),
  },
  inspect: {
    purpose: "calls every tool with its author's example; --call <tool> '{…}' calls one",
    run: () => import('./inspect.ts'),
  },
  build: {
    purpose: 'bundles the program and its service to dist/',
    run: () => import('./build.ts'),
  },
  pack: {
    purpose: 'builds the npm package, the desktop bundle, server.json and a Dockerfile in ship/',
    run: () => import('./pack.ts'),
  },
  'example-service': {
    purpose: 'runs the API that the examples wrap',
    run: () => import('../examples/directory/api/start.ts'),
  },
};
