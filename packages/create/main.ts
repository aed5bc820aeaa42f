/** `gatehouse init` (`npm run init`), `gatehouse update` and `gatehouse to-react-router`. */
import { init } from './init.ts';
import { ownTerminal, print, runCommand } from './command.ts';
import { toReactRouter } from './frameworks/move.ts';
import { Refusal } from './request/refusal.ts';
import { updateCommand } from './update/command.ts';

const [command = '--help', ...argv] = process.argv.slice(2);
const help = `gatehouse init <name>       makes a site of a clone of the template
gatehouse update            moves a site to a newer release
gatehouse to-react-router   moves a site on Remix to React Router 8

--help after one of them lists its options.`;

await runCommand(async () => {
  const root = process.cwd();
  if (command === 'init') return init(root, argv, ownTerminal());
  if (['--help', '-h'].includes(command)) return help;
  if (command === 'to-react-router') return toReactRouter(root);
  if (command !== 'update') throw new Refusal(`gatehouse has no command "${command}".\n${help}`);
  const { text, isComplete } = await updateCommand(root, argv, print);
  if (!isComplete) process.exitCode = 1;
  return text;
});
