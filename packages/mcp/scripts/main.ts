/** The command line for an author's folder: `gatehouse-mcp <command>`, started in the folder with `main.ts`. */
interface Command {
  readonly purpose: string;
  readonly run: () => Promise<unknown>;
}

const commands: Readonly<Record<string, Command>> = {
  build: {
    purpose: 'bundles the program and its service to dist/',
    run: () => import('./build.ts'),
  },
  bundle: {
    purpose: 'builds a bundle for desktop applications',
    run: () => import('./bundle.ts'),
  },
  'example-service': {
    purpose: 'runs the service that the example wraps',
    run: () => import('../examples/directory/api/start.ts'),
  },
  inspect: {
    purpose: 'shows the served tools, resources and prompts in the MCP Inspector',
    run: () => import('./inspect.ts'),
  },
  new: {
    purpose: 'creates the folder of a service: gatehouse-mcp new <service>',
    run: () => import('./new-service.ts'),
  },
  'server-json': {
    purpose: 'writes the entry for the MCP registry',
    run: () => import('./server-json.ts'),
  },
};

export {};

const [name = ''] = process.argv.splice(2, 1);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command) await command.run();
else if (name === '--help') {
  const lines = Object.entries(commands).map(
    ([name, { purpose }]) => `  ${name.padEnd(16)}${purpose}`,
  );
  console.log(`gatehouse-mcp <command>, in the folder with main.ts\n\n${lines.join('\n')}`);
} else {
  console.error(`Give one command: ${Object.keys(commands).join(', ')}.`);
  process.exitCode = 1;
}
