/** The program of an author's folder. */
import type { Service } from './core/definition/service-definition.ts';

/**
 * Runs the service as a program: over stdio, or over HTTP with `--http`. `--check` validates settings and tools, and
 * `--help` lists every setting. The version is that of the program's package.
 */
export async function serve(service: Service): Promise<void> {
  // Imported on demand, because tools import this entry too, and their tests need no transport.
  const { runProgram } = await import('./command-line.ts');
  await runProgram(service);
}
