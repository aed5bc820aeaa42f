/** `gatehouse init` (`npm run init`) and `gatehouse update`. */
import { init } from './init.ts';
import { ownTerminal, print, runCommand } from './command.ts';
import { Refusal } from './request/refusal.ts';
import { updateCommand } from './update/command.ts';

const [command = '', ...argv] = process.argv.slice(2);

await runCommand(async () => {
  const root = process.cwd();
  if (command === 'init') return init(root, argv, ownTerminal());
  if (command !== 'update') throw new Refusal('gatehouse has two commands: init and update.');
  const { text, isComplete } = await updateCommand(root, argv, print);
  if (!isComplete) process.exitCode = 1;
  return text;
});
