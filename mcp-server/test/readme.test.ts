/** Checks that README, `.env.example`, `server.json` and CI match the program and its settings. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { registryEntry } from '@gatehouse/mcp/registry-entry';
import { describeSettings, loadService } from '@gatehouse/mcp/serve';
import { expect, test } from 'vitest';

const main = new URL('../main.ts', import.meta.url);
const folder = fileURLToPath(new URL('./', main));
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
const readme = read('README.md');
const manifest = JSON.parse(read('package.json')) as Parameters<typeof registryEntry>[0] & {
  readonly scripts: Readonly<Record<string, string>>;
};
const settings = describeSettings((await loadService(main.href)).settings);
const names = settings.map(({ name }) => name).sort();

/** Returns the names in the first column of the README's tables. */
function firstColumn(name: RegExp): string[] {
  return readme
    .split('\n')
    .map((line) => /^\| (`[^|]*)\|/.exec(line)?.[1] ?? '')
    .flatMap((cell) => [...cell.matchAll(name)].map(([, found = '']) => found))
    .sort();
}

test('the README lists each setting of the server and of the selected service, and no other', () => {
  expect(names).toContain('MCP_BEARER_TOKEN');
  expect(firstColumn(/`([A-Z][A-Z0-9_]+)`/g)).toEqual(names);
});

test('the README lists each script that a person runs, and no other', () => {
  const scripts = Object.keys(manifest.scripts).filter((name) => name !== 'prepack');
  expect(firstColumn(/`npm (?:run )?([\w:-]+)`/g)).toEqual(scripts.sort());
});

test('.env.example lists each setting, and no other', () => {
  const listed = [...read('.env.example').matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual(names);
});

test('server.json equals the output of `npm run server-json`: names, version and settings of the package and the service', () => {
  expect(JSON.parse(read('server.json'))).toEqual(
    JSON.parse(JSON.stringify(registryEntry(manifest, settings))),
  );
});

test('its CI runs only scripts that exist, including tests and lint', () => {
  const steps = [...read('.github/workflows/ci.yml').matchAll(/- run: npm (?:run )?([\w:-]+)$/gm)];
  const scripts = steps.map(([, name = '']) => name);
  expect(scripts).toEqual(expect.arrayContaining(['lint', 'test', 'typecheck']));
  expect(scripts.filter((name) => name !== 'ci' && !(name in manifest.scripts))).toEqual([]);
});
