/** `npm run init -- <name> [--auth MODE] [--without studio,notes,mcp]` */
import { init } from './init.ts';
import { Refusal } from './request/refusal.ts';

try {
  console.log(await init(process.cwd(), process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
