/** `npm run init -- <name> [--auth MODE] [--without studio,notes,mcp]` */
import { init } from './init.ts';
import { ownTerminal, runCommand } from './command.ts';

await runCommand(() => init(process.cwd(), process.argv.slice(2), ownTerminal()));
