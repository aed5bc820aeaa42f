/** The record of what clients see of a service's tools, and of what that costs a model. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { ServiceDefinition } from '../../src/core/definition/define-service.ts';
import { createRegistry } from '../../src/core/definition/registry/registry.ts';

/** What a model may have to read: of a whole list, for as many as 12 tools, and of one tool. */
interface TokenBudget {
  readonly list?: number;
  readonly tool?: number;
}

/** Four characters a token is the usual estimate for English and JSON. */
export const tokensOf = (value: unknown) => JSON.stringify(value).length / 4;

/**
 * Makes a test of each tool, and of them all.
 *
 * @param file The test's own, `import.meta.url`: the records stand in `wire/` beside it.
 * @param budget In tokens. Raise it knowingly: every conversation pays.
 */
export function expectRecorded(
  definition: Pick<ServiceDefinition, 'name' | 'tools'>,
  file: string,
  { list = 4_500, tool: ofTool = 600 }: TokenBudget = {},
): void {
  const { toolList } = createRegistry(definition);
  const folder = new URL('wire/', file);

  test.each(toolList.map((tool) => [tool.name, tool] as const))(
    '%s is on the wire as recorded (`npx vitest -u` records anew)',
    async (name, tool) => {
      const record = fileURLToPath(new URL(`${name}.json`, folder));
      await expect(`${JSON.stringify(tool, null, 2)}\n`).toMatchFileSnapshot(record);
    },
  );

  test('nothing is recorded of a tool that is gone', () => {
    const known = new Set(toolList.map(({ name }) => `${name}.json`));
    expect(readdirSync(folder).filter((record) => !known.has(record))).toEqual([]);
  });

  test(`the list costs a model no more than ${list} tokens, and no tool more than ${ofTool}`, () => {
    expect(tokensOf({ tools: toolList })).toBeLessThanOrEqual(list);
    expect(toolList.filter((tool) => tokensOf(tool) > ofTool).map(({ name }) => name)).toEqual([]);
  });
}
