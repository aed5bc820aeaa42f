/** Starts a separate Redis server for a test, which can stop it without affecting other tests. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/**
 * Debian's redis-tools, which `mcp-server/ci.sh` installs, contains the server under another name: it is the same binary,
 * which selects its role by argv[0].
 */
const program = ['redis-server', 'redis-check-rdb'].find((name) => {
  const { status, stdout } = spawnSync(name, ['--version'], { argv0: 'redis-server' });
  return status === 0 && stdout.includes('Redis server');
});

export const hasRedisServer = program !== undefined;

export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Suspends the server: connections stay open, but get no responses. */
  readonly hang: () => void;
  readonly stop: () => Promise<void>;
}

/** Starts Redis on loopback without persistence, and waits until it accepts connections. */
export async function startRedisServer(port?: number): Promise<RedisServer> {
  const chosen = port ?? (await freePort());
  const settings = { port: chosen, bind: '127.0.0.1', save: '', appendonly: 'no', daemonize: 'no' };
  if (program === undefined) throw new Error('No Redis is installed');
  const child = spawn(
    program,
    Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    { argv0: 'redis-server', stdio: ['ignore', 'pipe', 'inherit'], cwd: '/' },
  );
  const ended = once(child, 'exit');
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    if (String(chunk).includes('Ready to accept connections')) break;
  }
  child.stdout.resume();
  return {
    port: chosen,
    url: `redis://127.0.0.1:${chosen}`,
    hang: () => {
      child.kill('SIGSTOP');
    },
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
