/** The command line for an author's folder: `gatehouse-mcp <command>`, started in it. */
import { commands } from './commands.ts';

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
