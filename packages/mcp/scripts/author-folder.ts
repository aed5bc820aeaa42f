/** The folder that the commands work on: npm starts them in it. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Service } from '../src/core/definition/service-definition.ts';

export const folder = process.cwd();

/** @throws Error with one sentence for the author. */
export async function loadService(): Promise<Service> {
  const file = path.join(folder, 'service.ts');
  const module = (await import(pathToFileURL(file).href)) as { default?: Service };
  if (module.default) return module.default;
  throw new Error(`${file} exports no service as its default.`);
}
