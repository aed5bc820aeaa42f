/**
 * Checks that the benchmark works on a new machine: its peers are pinned, and one that cannot be installed does not
 * affect the others.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { installPeers } from './peers.ts';

const peers = new URL('peers/', import.meta.url);
const folders = readdirSync(peers, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

interface Lock {
  readonly packages: Record<string, { version?: string; resolved?: string; integrity?: string }>;
}
const read = (file: string) => JSON.parse(readFileSync(new URL(file, peers), 'utf8')) as unknown;

/** Used if a lock file names no registry. */
const registry = 'https://registry.npmjs.org/';

test('there are peers', () => {
  expect(folders).toEqual(expect.arrayContaining(['fastmcp', 'sdk-v1', 'sdk-v2']));
});

test.each(folders)(
  '%s is pinned by its own lock file, including every transitive dependency',
  (peer) => {
    const { dependencies } = read(`${peer}/package.json`) as {
      dependencies: Record<string, string>;
    };
    const { packages } = read(`${peer}/package-lock.json`) as Lock;
    for (const [name, version] of Object.entries(dependencies)) {
      expect(packages[`node_modules/${name}`]?.version).toBe(version);
    }
    const [, ...locked] = Object.entries(packages);
    expect(locked.length).toBeGreaterThan(0);
    const loose = locked.filter(
      ([, name]) =>
        !name.integrity?.startsWith('sha512-') || !(name.resolved ?? registry).startsWith(registry),
    );
    expect(loose.map(([name]) => name)).toEqual([]);
  },
);

test('a peer that cannot be installed is reported with its reason, and the others are installed', async () => {
  const failure = Object.assign(new Error('Command failed: npm ci'), {
    stderr:
      'npm warn old\nnpm error code E404\nnpm error 404 Not Found - b is gone\nnpm error more\n',
  });
  const install = (peer: string) =>
    peer === 'b'
      ? Promise.reject(failure)
      : peer === 'd'
        ? Promise.reject(new Error('no npm\n!'))
        : Promise.resolve();
  const { present, absent } = await installPeers(['a', 'b', 'c', 'd'], install);
  expect(present).toEqual(['a', 'c']);
  expect([...absent]).toEqual([
    ['b', '404 Not Found - b is gone'],
    ['d', 'no npm'],
  ]);
});
