/** The page of the public interface. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { renderReference } from './reference-page.ts';
import * as entry from '../../src/index.ts';

const page = readFileSync(new URL('../../docs/reference.md', import.meta.url), 'utf8');

test('docs/reference.md is what `npm run reference` writes', async () => {
  expect(page).toBe(await renderReference());
});

test('it has each value of the package’s entry once, with a comment', () => {
  const uncommented = Object.keys(entry).filter((name) => {
    const [, before] = new RegExp(`(.*)\\n(?:const|class|function) ${name}\\b`).exec(page) ?? [];
    return !before?.endsWith('*/') && !before?.startsWith('function');
  });
  expect(uncommented).toEqual([]);
});
