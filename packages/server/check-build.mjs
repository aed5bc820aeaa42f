/** Runs before programs of the build, such as `npm start`, which without it would end in Node's stack trace. */
import { existsSync } from 'node:fs';

const program = process.argv[2] ?? 'build/server/main.js';
if (!existsSync(program)) {
  process.stderr.write(`There is no ${program}: run \`npm run build\` first.\n`);
  process.exit(1);
}
