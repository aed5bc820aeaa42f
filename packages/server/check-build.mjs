/** Runs before `npm start`, which without a build would end in Node's stack trace. */
import { existsSync } from 'node:fs';

if (!existsSync('build/server/main.js')) {
  process.stderr.write('There is no build: run `npm run build` first.\n');
  process.exit(1);
}
