/** Error stacks in development. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { showSourceLine } from './source-line.ts';

/** A project with one file, and an error thrown on its second line. */
async function thrown() {
  const root = await mkdtemp(path.join(tmpdir(), 'source-'));
  onTestFinished(() => rm(root, { recursive: true }));
  await mkdir(path.join(root, 'app'));
  const file = path.join(root, 'app/home.tsx');
  await writeFile(file, 'export function loader() {\n  throw new Error();\n}\n');
  const error = new Error('boom');
  error.stack = [
    'Error: boom',
    '    at helper (/usr/lib/other.js:1:1)',
    `    at loader (${file}:2:9)`,
    `    at call (${root}/node_modules/remix/index.js:9:9)`,
    `    at listen (file://${root}/app/dev.ts:1:9)`,
    '    at node:internal/process:1:1',
  ].join('\n');
  return { error, root, file };
}

test('the stack shows the throwing line under the message, and then only the site’s frames', async () => {
  const { error, root } = await thrown();
  showSourceLine(error, root);
  expect(error.stack).toBe(
    [
      'Error: boom',
      '',
      '  1 | export function loader() {',
      '> 2 |   throw new Error();',
      '    |         ^',
      '  3 | }',
      '  4 | ',
      '',
      '    at loader (app/home.tsx:2:9)',
      '    at listen (app/dev.ts:1:9)',
    ].join('\n'),
  );
});

test('a stack without frames of the site, or with a missing file, is unchanged', async () => {
  const { error, root, file } = await thrown();
  const before = error.stack;
  showSourceLine(error, '/another/root');
  expect(error.stack).toBe(before);
  await rm(file);
  showSourceLine(error, root);
  expect(error.stack).toBe(before);
});

test('a thrown value that is not an error is ignored', () => {
  const text = 'a thrown text';
  expect(() => {
    showSourceLine(text, '/');
  }).not.toThrow();
});
