/** The lockfile has the optional platform packages for every platform, and `npm run lockfile` can restore them. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import {
  completeLockfile,
  findGaps,
  platformFromName,
  type Lockfile,
  type PublishedPackage,
} from './complete-lockfile';

const lock = JSON.parse(
  await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8'),
) as Lockfile;

const manifest = new URL('../../package.json', import.meta.url);
const rollup = lock.packages['node_modules/rollup'];
const mac = '@rollup/rollup-darwin-arm64';
const macPath = `node_modules/${mac}`;

function without(path: string): Lockfile {
  return {
    ...lock,
    packages: Object.fromEntries(Object.entries(lock.packages).filter(([key]) => key !== path)),
  };
}

test('the lockfile lists every optional platform package, for its platform, with an integrity', () => {
  expect(findGaps(lock)).toEqual([]);
});

test('every installed package has an integrity', () => {
  const without = Object.entries(lock.packages).filter(
    ([path, entry]) => /(^|\/)node_modules\//.test(path) && !entry.link && !entry.integrity,
  );
  expect(without.map(([path]) => path)).toEqual([]);
});

test.each(['pnpm/10.34.9', 'yarn/4.18.1', 'bun/1.3.14', 'npm/11.19.1'])(
  'only npm, which reads the overrides, installs: %s',
  (userAgent) => {
    const { scripts } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      scripts: { preinstall: string };
    };
    const env = { ...process.env, npm_config_user_agent: userAgent };
    const { status, stderr } = spawnSync(scripts.preinstall, {
      shell: true,
      env,
      encoding: 'utf8',
    });
    const refused = !userAgent.startsWith('npm');
    expect(status).toBe(refused ? 1 : 0);
    expect(stderr.includes('npm install')).toBe(refused);
  },
);

test('control: the lockfile has platform packages for macOS, Windows and Linux', () => {
  const systems = Object.values(lock.packages).flatMap((entry) => entry.os ?? []);
  for (const system of ['darwin', 'win32', 'linux', 'freebsd']) {
    expect(systems.filter((os) => os === system).length, system).toBeGreaterThan(5);
  }
});

test('a platform package that is missing in the lockfile is reported', () => {
  expect(findGaps(without(macPath))).toEqual([
    { parent: 'node_modules/rollup', name: mac, wanted: rollup?.version, problem: 'absent' },
  ]);
});

test('each of two versions of a tool needs its own set of platform packages', async () => {
  const nested = 'node_modules/tsx/node_modules/@esbuild/darwin-arm64';
  const original = lock.packages[nested] as PublishedPackage;
  expect(findGaps(without(nested))).toMatchObject([
    { parent: 'node_modules/tsx/node_modules/esbuild', problem: 'absent' },
  ]);
  const completed = await completeLockfile(without(nested), () => Promise.resolve(original));
  expect(completed.added).toEqual([nested]);
  expect(completed.lock.packages[nested]).toEqual(original);
});

test('an entry without os, cpu or integrity is reported', () => {
  const packages = {
    ...lock.packages,
    [macPath]: { version: String(rollup?.version), optional: true },
  };
  expect(findGaps({ ...lock, packages }).map((gap) => gap.problem)).toEqual([
    'wrong platform',
    'no integrity',
  ]);
});

test('the platform is read from the name', () => {
  expect(platformFromName('@rollup/rollup-linux-arm-musleabihf')).toEqual({
    os: 'linux',
    cpu: 'arm',
  });
  expect(platformFromName('@libsql/win32-x64-msvc')).toEqual({ os: 'win32', cpu: 'x64' });
  expect(platformFromName('@oxc-resolver/binding-wasm32-wasi')).toEqual({ cpu: 'wasm32' });
  expect(platformFromName('fsevents')).toEqual({});
});

test('a gap is filled from the registry, exactly as npm writes it', async () => {
  const original = lock.packages[macPath] as PublishedPackage;
  const requested: string[] = [];
  const completed = await completeLockfile(without(macPath), (name, wanted) => {
    requested.push(`${name}@${wanted}`);
    return Promise.resolve(original);
  });
  expect(requested).toEqual([`${mac}@${original.version}`]);
  expect(completed.remaining).toEqual([]);
  expect(JSON.stringify(completed.lock)).toBe(JSON.stringify(lock));
});

test('a package that the registry lacks is not added', async () => {
  const completed = await completeLockfile(without(macPath), () => Promise.resolve(null));
  expect(completed.added).toEqual([]);
  expect(completed.remaining).toHaveLength(1);
  expect(completed.lock.packages[macPath]).toBeUndefined();
});
