/** The folder of the server that the commands work on: npm starts them in it. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export const folder = process.cwd();

/** The URL of its program. */
export const program = pathToFileURL(path.join(folder, 'main.ts')).href;
