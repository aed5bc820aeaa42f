/** Selects the service of a program: the one in `src/services/` beside it, or the example if there is none. */
import { existsSync, readdirSync } from 'node:fs';
import type { WrappedService } from './core/definition/define-service.ts';

/** A program that was built contains the example, if it has no other service. */
const example = new URL('../examples/directory/', import.meta.url);

/** The extension of a program's modules: `.ts` for the sources, `.js` for the build. */
const extensionOf = (program: string) => (program.endsWith('.ts') ? '.ts' : '.js');

/**
 * Returns the module of the service.
 *
 * @param program The URL of the program.
 * @throws Error with one sentence for the operator.
 */
export function servedModule(program: string): URL {
  const services = new URL('src/services/', program);
  const file = `service${extensionOf(program)}`;
  const [name, ...others] = servicesIn(services, file);
  if (name === undefined) {
    const module = new URL(`service${extensionOf(import.meta.url)}`, example);
    if (existsSync(module)) return module;
    throw new Error('There is no service in src/services/. npm run new -- <name> makes one.');
  }
  if (others.length > 0) {
    const all = [name, ...others].sort().join(', ');
    throw new Error(`A server has one service, and src/services/ has ${all}: leave one of them.`);
  }
  return new URL(`${name}/${file}`, services);
}

/**
 * Returns the names of the services in a folder.
 *
 * @param file The name of a service's module.
 */
export function servicesIn(services: URL, file = 'service.ts'): string[] {
  if (!existsSync(services)) return [];
  return readdirSync(services).filter((name) => existsSync(new URL(`${name}/${file}`, services)));
}

/** @throws Error as {@link servedModule} does. */
export async function loadService(program: string): Promise<WrappedService> {
  const { href } = servedModule(program);
  const module = (await import(href)) as { default?: WrappedService };
  if (module.default) return module.default;
  throw new Error(`${href} exports no service as its default.`);
}
