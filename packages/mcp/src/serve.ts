/** What the program of an author's folder imports, and the tests of its documents. */
import { runProgram } from './command-line.ts';
import { loadService } from './served-service.ts';

export { describeSettings } from './env.ts';
export { loadService } from './served-service.ts';

/**
 * Serves the service of a program: the one in `src/services/` beside it, or the example while there is none.
 *
 * @param program `import.meta.url` of the program. Its package's version is the server's.
 */
export async function serve(program: string): Promise<void> {
  await runProgram(() => loadService(program), program);
}
