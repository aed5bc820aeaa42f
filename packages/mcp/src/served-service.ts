/** Selects the service: the one in `src/services/`, or the example if there is none. */
import { existsSync, readdirSync } from 'node:fs';
import type { WrappedService } from './core/definition/define-service.ts';

const example = new URL('../examples/directory/', import.meta.url);

/** Extension of the running modules: `.ts` for the sources, `.js` for the build. */
const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

/**
 * Returns the folder of the service.
 *
 * @param services A folder with a subfolder for each service.
 * @throws Error with one sentence for the operator.
 */
export function servedFolder(services = new URL('services/', import.meta.url)): URL {
  const [name, ...others] = servicesIn(services);
  if (name === undefined) {
    if (existsSync(example)) return example;
    throw new Error('There is no service in src/services/. npm run new -- <name> makes one.');
  }
  if (others.length > 0) {
    const all = [name, ...others].sort().join(', ');
    throw new Error(`A server has one service, and src/services/ has ${all}: leave one of them.`);
  }
  return new URL(`${name}/`, services);
}

/** Returns the names of the services in a folder. */
export function servicesIn(services: URL): string[] {
  if (!existsSync(services)) return [];
  const isService = (name: string) => existsSync(new URL(`${name}/service${extension}`, services));
  return readdirSync(services).filter(isService);
}

/** @throws Error as {@link servedFolder} does. */
export async function loadService(): Promise<WrappedService> {
  const { href } = new URL(`service${extension}`, servedFolder());
  const module = (await import(href)) as { default?: WrappedService };
  if (module.default) return module.default;
  throw new Error(`${href} exports no service as its default.`);
}
