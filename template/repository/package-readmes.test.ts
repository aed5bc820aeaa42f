/** The examples of the packages' READMEs: they compile, and the simulator's runs. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import * as ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const packages = path.join(root, 'packages');
// In the repository, so that packages resolve.
const folder = path.join(root, '.cache/readme-examples');
const files = new Map<string, string>();

beforeAll(async () => {
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(packages)) {
    const text = await readFile(path.join(packages, name, 'README.md'), 'utf8').catch(() => '');
    const [, language = '', code = ''] = /^```(tsx?|js)\n(.*?)^```$/ms.exec(text) ?? [];
    if (code === '') continue;
    const file = path.join(folder, `${name}.${language}`);
    await writeFile(file, code);
    files.set(name, file);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('each example compiles', () => {
  const config = ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) =>
    ts.sys.readFile(file),
  );
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const program = ts.createProgram([...files.values()], options);
  const wrong = [...files.values()].flatMap((file) => {
    const source = program.getSourceFile(file);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
      .map((message) => `${path.basename(file)}: ${message}`);
  });
  // A build's own file.
  expect(wrong.filter((message) => !message.includes("'./index.js'"))).toEqual([]);
  expect([...files.keys()]).toEqual(
    expect.arrayContaining(['accounts', 'frame', 'lint', 'server', 'simulator', 'store']),
  );
});

test('the simulator’s example runs', async () => {
  const example = files.get('simulator') ?? '';
  const run = promisify(execFile)(process.execPath, ['--import', 'tsx', example], { cwd: root });
  expect((await run).stdout).toMatch(
    /^http:\/\/platform\.localhost:\d+ http:\/\/127\.0\.0\.1:\d+\n$/,
  );
});
