/**
 * A PostgreSQL server for tests. With the system's PostgreSQL binaries, tests start a separate server as an
 * unprivileged user, which they may kill and restart; with `TEST_DATABASE_URL`, they create databases on that server.
 * Without either, they are skipped.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

export interface PostgresDatabases {
  /** Creates an empty database, and resolves to its URL. */
  newDatabase: () => Promise<string>;
  stop: () => Promise<void>;
}

export interface PostgresServer extends PostgresDatabases {
  /** The folder of its socket. */
  folder: string;
  /** Kills all processes of the server at once, as in a crash of the machine, or the parent process alone. */
  kill: (what?: 'all' | 'postmaster') => Promise<void>;
  /** Starts the server again on its existing data. */
  start: () => Promise<void>;
}

const folders = ['/usr/lib/postgresql', '/usr/local/pgsql', '/opt/homebrew/opt/postgresql'];
const binaries = folders
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => [folder, ...readdirSync(folder).map((name) => path.join(folder, name))])
  .map((folder) => path.join(folder, 'bin'))
  .findLast((folder) => existsSync(path.join(folder, 'initdb')));

/** PostgreSQL refuses to run as root. */
const user: Partial<User> | undefined = process.getuid?.() === 0 ? unprivileged() : {};

const given = process.env['TEST_DATABASE_URL'];

/** Whether tests can start a server that they may kill. */
export const hasOwnPostgres = binaries !== undefined && user !== undefined;
export const hasPostgres = hasOwnPostgres || given !== undefined;

if (!hasPostgres) {
  process.stderr.write(
    '\nNo PostgreSQL: install its server, or set TEST_DATABASE_URL. TESTS OF THE STORE ARE SKIPPED.\n\n',
  );
}

/** Databases on the server of `TEST_DATABASE_URL` if it is set, or else on a new server. */
export async function postgresDatabases(): Promise<PostgresDatabases> {
  if (given === undefined) return startPostgres();
  return { newDatabase: () => createDatabase(given), stop: () => Promise.resolve() };
}

/** @throws {Error} if PostgreSQL is not installed: see `hasOwnPostgres`. */
export async function startPostgres(): Promise<PostgresServer> {
  if (binaries === undefined || user === undefined) throw new Error('PostgreSQL is not installed.');
  const folder = await mkdtemp(path.join(tmpdir(), 'postgres-'));
  await chmod(folder, 0o700);
  if (user.uid !== undefined && user.gid !== undefined) await chown(folder, user.uid, user.gid);
  const run = { ...user, cwd: folder, env: { ...process.env, LC_ALL: 'C' } };
  const data = path.join(folder, 'data');
  const made = spawnSync(
    path.join(binaries, 'initdb'),
    ['-D', data, '-U', 'site', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
    run,
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${String(made.stderr)}`);

  const port = await freePort();
  const address = (database: string) => `postgres://site@127.0.0.1:${port}/${database}`;
  let server: ChildProcess | undefined;
  const start = async () => {
    const options = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: folder,
      max_connections: 60,
    };
    const args = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const spawned = () =>
      // Its own process group, so that `kill` can end its children too.
      spawn(path.join(binaries, 'postgres'), ['-D', data, '-p', `${port}`, ...args], {
        ...run,
        stdio: 'ignore',
        detached: true,
      });
    server = spawned();
    const end = performance.now() + 60_000;
    while (!(await responds(address('postgres')))) {
      if (performance.now() > end) throw new Error('PostgreSQL did not start.');
      await pause(50);
      // After a crash it refuses to start until its old children have exited.
      if (server.exitCode !== null) server = spawned();
    }
  };
  const end = async (signal: NodeJS.Signals, whole: boolean) => {
    const going = server;
    server = undefined;
    if (going?.pid === undefined || going.exitCode !== null) return;
    const gone = once(going, 'exit');
    process.kill(whole ? -going.pid : going.pid, signal);
    await gone;
  };
  process.once('exit', () => {
    if (server?.pid !== undefined) process.kill(-server.pid, 'SIGKILL');
  });
  await start();
  return {
    folder,
    newDatabase: () => createDatabase(address('postgres')),
    start,
    kill: (what = 'all') => end('SIGKILL', what === 'all'),
    stop: async () => {
      // SIGQUIT is PostgreSQL's immediate shutdown: the data is not needed any more.
      await end('SIGQUIT', false);
      await rm(folder, { recursive: true, force: true });
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

async function createDatabase(url: string): Promise<string> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

async function responds(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

interface User {
  uid: number;
  gid: number;
}

function unprivileged(): User | undefined {
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name]));
    if (uid?.status === 0 && gid?.status === 0) {
      return { uid: Number(String(uid.stdout)), gid: Number(String(gid.stdout)) };
    }
  }
  return undefined;
}
