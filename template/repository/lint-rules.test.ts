/** The pages about security list exactly the existing lint rules of the boundary. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { mcpServerConfig } from '@gatehouse/mcp/lint';
import { rules } from '@gatehouse/lint/rules';

const pages = ['security.md', 'platform/security.md', 'accounts/security.md', 'mcp/security.md']
  .map((name) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8'))
  .join('\n');

const namesOf = (plugin: string) => [
  ...new Set(
    [...pages.matchAll(new RegExp(`\\b${plugin}/([a-z][a-z-]+)`, 'g'))].map(([, name]) => name),
  ),
];

test('the table of mistakes names each rule of the site, and no other', () => {
  expect(namesOf('site').sort()).toEqual(Object.keys(rules).sort());
});

test('the table of mistakes names each rule of the MCP server, and no other', () => {
  const known = mcpServerConfig().flatMap(({ plugins }) =>
    Object.keys(plugins?.['mcp']?.rules ?? {}),
  );
  expect(namesOf('mcp').sort()).toEqual(known.sort());
});
