#!/usr/bin/env tsx
/** The command line for an author's folder: `gatehouse-mcp <command>`, started in the folder with `main.ts`. */
const commands: Readonly<Record<string, () => Promise<unknown>>> = {
  build: () => import('./build.ts'),
  bundle: () => import('./bundle.ts'),
  'example-service': () => import('../examples/directory/api/start.ts'),
  inspect: () => import('./inspect.ts'),
  new: () => import('./new-service.ts'),
  'server-json': () => import('./server-json.ts'),
};

export {};

const [name = ''] = process.argv.splice(2, 1);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command) await command();
else {
  console.error(`Give one command: ${Object.keys(commands).join(', ')}.`);
  process.exitCode = 1;
}
