/** The dependencies that Vite must not discover late. */
import { existsSync } from 'node:fs';
import path from 'node:path';

/** Dependencies that browsers load. */
const browser = [
  '@conform-to/react',
  '@radix-ui/react-dialog',
  '@radix-ui/react-label',
  '@radix-ui/react-progress',
  'class-variance-authority',
  // Of the framework, and of `@gatehouse/frame/server`.
  'cookie',
  'd3-scale',
  'd3-shape',
  'get-nonce',
  'lucide-react',
  'ohash/crypto',
  'sonner',
];

/** Dependencies that route files import, and the framework removes from the client. */
const server = [
  '@better-auth/kysely-adapter',
  '@conform-to/zod',
  '@fastify/busboy',
  '@remix-run/node-fetch-server',
  '@streamparser/json',
  'any-ascii',
  'better-auth',
  'client-zip',
  'compressible',
  'compression',
  'content-disposition',
  'eventsource-parser',
  'file-type',
  'ip-address',
  'kysely',
  'libsql',
  'mrmime',
  'nodemailer',
  'pg',
  'pg-connection-string',
  'pino',
  'rate-limiter-flexible',
  // Linked, or published as modules of their own: Vite loads them as they are.
  '@gatehouse/accounts',
  '@gatehouse/frame',
  '@gatehouse/http',
  '@gatehouse/platform',
  '@gatehouse/server',
  '@gatehouse/simulator',
  '@gatehouse/store',
  'undici',
  'yaml',
  'zod',
];

/**
 * Declares dependencies, so that Vite need not discover them and reload the first page: its scan sees the
 * imports of route files before the framework removes their server code.
 *
 * @param {{ serverPackages: string[] }} framework
 * @returns {import('vite').Plugin}
 */
export function dependencies({ serverPackages }) {
  return {
    name: 'gatehouse:dependencies',
    config({ root = process.cwd() }) {
      // Also what only a package depends on.
      const isInstalled = (/** @type {string} */ name) =>
        existsSync(path.join(root, 'node_modules', name.replace(/^((@[^/]+\/)?[^/]+).*$/, '$1')));
      const installed = browser.filter(isInstalled);
      return { optimizeDeps: { exclude: [...server, ...serverPackages], include: installed } };
    },
  };
}
