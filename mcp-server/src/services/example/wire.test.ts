/** What a client sees of the tools, on the record: each change of it shows in review. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createRegistry } from '../../core/definition/registry.ts';
import { createExampleService } from './service.ts';
import { exampleSettings } from './settings.ts';

const { toolList } = createRegistry(createExampleService(exampleSettings.parse({})));

test.each(toolList.map((tool) => [tool.name, tool] as const))(
  '%s is on the wire as recorded (`npx vitest -u` records anew) [M02 M04 M07 M08 M27]',
  async (name, tool) => {
    await expect(`${JSON.stringify(tool, null, 2)}\n`).toMatchFileSnapshot(`wire/${name}.json`);
  },
);

test('nothing is recorded of a tool that is gone', () => {
  const recorded = readdirSync(new URL('wire', import.meta.url));
  const known = new Set(toolList.map(({ name }) => `${name}.json`));
  expect(recorded.filter((file) => !known.has(file))).toEqual([]);
});

/** Four characters a token is the usual estimate for English and JSON. */
const tokensOf = (value: unknown) => JSON.stringify(value).length / 4;

test('the list costs a model no more than 4,500 tokens, and no tool more than 750', () => {
  expect(tokensOf({ tools: toolList })).toBeLessThan(4_500);
  expect(toolList.map(tokensOf).filter((tokens) => tokens >= 750)).toEqual([]);
});
