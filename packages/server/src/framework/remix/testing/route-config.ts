/**
 * Keeps Remix's compiler, and Vite with it, out of tests: `@remix-run/route-config` would load them, for one function, in each test
 * file that reads the route table (a second).
 */
import Module, { createRequire } from 'node:module';

const { cache, resolve } = createRequire(import.meta.url);
const compiler = resolve('@remix-run/dev');
const exports = { UNSAFE_getRouteConfigAppDirectory: () => 'app' };
cache[compiler] ??= Object.assign(new Module(compiler), { exports, loaded: true });
