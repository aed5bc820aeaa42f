/** Checks that the pages for authors and operators name what there is: settings, commands, variables. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commands } from '../../../scripts/commands.ts';
import starter from '../../starter/service.ts';
import { describeSettings } from '../../../src/env.ts';

const read = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
const all = describeSettings(starter.settings).map(({ name }) => name);
const ofService = Object.keys(starter.settings.shape);

/** Returns the names in the first column of a page's tables. */
function firstColumn(page: string, name: RegExp): string[] {
  return read(page)
    .split('\n')
    .map((line) => /^\| (`[^|]*)\|/.exec(line)?.[1] ?? '')
    .flatMap((cell) => [...cell.matchAll(name)].map(([, found = '']) => found))
    .sort();
}

test('docs/running.md lists each setting of the server, the starter’s README each of its service', () => {
  const setting = /`([A-Z][A-Z0-9_]+)`/g;
  expect(all).toContain('MCP_BEARER_TOKEN');
  const ofServer = all.filter((name) => !ofService.includes(name));
  expect(firstColumn('docs/running.md', setting)).toEqual(ofServer.sort());
  expect(firstColumn('examples/starter/README.md', setting)).toEqual(ofService.sort());
});

test('.env.example of the starter has each setting of its service, and known ones of the server', () => {
  const listed = [...read('examples/starter/.env.example').matchAll(/^([A-Z0-9_]+)=/gm)].map(
    ([, name = '']) => name,
  );
  expect(listed).toEqual(expect.arrayContaining(ofService));
  expect(listed.filter((name) => !all.includes(name))).toEqual([]);
});

test('the README lists each command, and the starter’s scripts run only such', () => {
  const known = Object.keys(commands).sort();
  const listed = firstColumn('README.md', /^`([a-z][a-z-]*)(?: <service>)?`/g);
  expect(listed).toEqual(known);
  const { scripts } = JSON.parse(read('examples/starter/package.json')) as {
    scripts: Record<string, string>;
  };
  const run = Object.values(scripts).flatMap(
    (text) => /^gatehouse-mcp (\S+)/.exec(text)?.[1] ?? [],
  );
  expect(run.filter((name) => !known.includes(name))).toEqual([]);
});
