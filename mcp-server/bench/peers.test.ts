/** The benchmark starts on a fresh machine: its peers are pinned, and one that cannot be had stops no other. */
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

/** Where none is named, it is the one in use. */
const registry = 'https://registry.npmjs.org/';

test('there are peers', () => {
  expect(folders).toEqual(expect.arrayContaining(['fastmcp', 'sdk-v1', 'sdk-v2']));
});

test.each(folders)('%s is pinned by a lock of its own, down to the last package', (peer) => {
  const { dependencies } = read(`${peer}/package.json`) as { dependencies: Record<string, string> };
  const { packages } = read(`${peer}/package-lock.json`) as Lock;
  for (const [name, version] of Object.entries(dependencies)) {
    expect(packages[`node_modules/${name}`]?.version).toBe(version);
  }
  const [, ...locked] = Object.entries(packages);
  expect(locked.length).toBeGreaterThan(0);
  const loose = locked.filter(
    ([, one]) =>
      !one.integrity?.startsWith('sha512-') || !(one.resolved ?? registry).startsWith(registry),
  );
  expect(loose.map(([name]) => name)).toEqual([]);
});

test('one that cannot be had is named with its reason, and the rest are there', async () => {
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
