/** Records what clients see of a service's tools, and limits what it costs a model. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Service } from '../core/definition/service-definition.ts';
import { parseSettingsOf } from '../env.ts';
import { createRegistry } from '../core/definition/registry/registry.ts';

/** Limits for the tokens that a model reads: a whole list of up to 12 tools, and one tool. */
interface TokenBudget {
  readonly list?: number;
  readonly tool?: number;
  /** Settings that the service requires, as in the environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Estimates four characters for each token, as usual for English and JSON. */
export const tokensOf = (value: unknown) => JSON.stringify(value).length / 4;

/** One sentence for the list and each tool that takes more than its limit. */
export function excessOf(
  tools: readonly { readonly name: string }[],
  limits: { readonly list: number; readonly tool: number },
  file: string,
): string[] {
  const parts = [
    { name: 'The list', size: tokensOf({ tools }), of: 'list' as const },
    ...tools.map((tool) => ({ name: tool.name, size: tokensOf(tool), of: 'tool' as const })),
  ];
  return parts
    .filter(({ size, of }) => size > limits[of])
    .map(
      ({ name, size, of }) =>
        `${name} takes ${Math.ceil(size)} tokens, and ${limits[of]} are the most: shorten its descriptions, or raise \`${of}\` of expectRecorded in ${file}.`,
    );
}

/**
 * Defines a test for each tool, and one for the whole list.
 *
 * @param file The test's own `import.meta.url`: the records are in `wire/` beside it.
 * @param budget In tokens. Raise it only deliberately: it adds to the cost of every conversation.
 */
export function expectRecorded(
  service: Service,
  file: string,
  { list = 4_500, tool: ofTool = 600, environment = {} }: TokenBudget = {},
): void {
  const definition = service.createService(parseSettingsOf(service.settings, environment));
  const { tools, listResult } = createRegistry(definition);
  const folder = new URL('wire/', file);

  test.each(listResult.tools.map((tool) => [tool.name, tool] as const))(
    '%s is unchanged from its record (`npx vitest -u` updates it)',
    async (name, tool) => {
      const record = fileURLToPath(new URL(`${name}.json`, folder));
      await expect(`${JSON.stringify(tool, null, 2)}\n`).toMatchFileSnapshot(record);
    },
  );

  test('there are no records of removed tools', () => {
    const known = new Set(listResult.tools.map(({ name }) => `${name}.json`));
    expect(readdirSync(folder).filter((record) => !known.has(record))).toEqual([]);
  });

  test(`the list takes at most ${list} tokens, and each tool at most ${ofTool}`, () => {
    expect(excessOf(listResult.tools, { list, tool: ofTool }, fileURLToPath(file))).toEqual([]);
  });

  test('each example is a valid call', () => {
    const invalid = [...tools.values()].flatMap(({ name, input, examples }) =>
      examples
        .filter((example) => !input.safeParse(JSON.parse(example)).success)
        .map((example) => `${name} ${example}`),
    );
    expect(invalid).toEqual([]);
  });
}
