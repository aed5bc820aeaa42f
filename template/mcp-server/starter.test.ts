/** The template's MCP server is what `gatehouse-mcp new` would make of the example. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const starter = fileURLToPath(new URL('../../packages/mcp/examples/starter/', import.meta.url));
const folder = fileURLToPath(new URL('../../mcp-server/', import.meta.url));
const files = readdirSync(starter, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name, parentPath }) => `${parentPath}/${name}`.slice(starter.length).replace(/^\//, ''));

test.each(files.filter((file) => file !== 'package.json'))('%s is the starter’s', (file) => {
  const text = readFileSync(starter + file, 'utf8');
  expect(readFileSync(folder + file, 'utf8')).toBe(
    text.replaceAll('/example-mcp/', '/mcp-server/'),
  );
});

test('its package has the starter’s scripts and dependencies', () => {
  const packageOf = (place: string) =>
    JSON.parse(readFileSync(`${place}package.json`, 'utf8')) as Record<string, unknown>;
  const [ours, theirs] = [packageOf(folder), packageOf(starter)];
  for (const part of ['scripts', 'dependencies', 'optionalDependencies', 'devDependencies']) {
    expect(ours[part]).toEqual(theirs[part]);
  }
});

test('it has at most 400 lines of code, tests included', () => {
  const lines = files
    .filter((file) => /\.ts$/.test(file))
    .map((file) => readFileSync(folder + file, 'utf8').split('\n').length - 1);
  expect(lines.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(400);
});
