/** Each package as it is published: its tarball, the folder where it alone is installed, and its README there. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { complaints } from './complaints';
import { entriesOf, folders, install, packAll, type Installed } from './packages';
import { readReadme, type Readme } from './readme';

const minutes = 60_000;
/** Packages are tried beside one another, the tests of a package one after the other. */
const inOrder = { concurrent: false, timeout: 5 * minutes };
let tarballOf: (folder: string) => string;
beforeAll(async () => {
  tarballOf = await packAll();
}, 3 * minutes);

test('every folder of packages/ is a package', () => {
  expect(folders).toEqual(expect.arrayContaining(['create', 'mcp', 'server', 'turbo-stream']));
});

test.each(folders)('the manifest of %s and its types pass publint and attw', async (folder) => {
  expect(await complaints(await readFile(tarballOf(folder)))).toEqual([]);
});

describe.concurrent.each(folders)('%s, installed alone', (folder) => {
  let installed: Installed;
  let entries: string[];
  let readme: Readme;
  /** The names of the values that each entry exports. */
  const values = new Map<string, string[]>();

  beforeAll(async () => {
    readme = await readReadme(folder);
    installed = await install(folder, path.dirname(tarballOf(folder)), readme.manifest);
    entries = await entriesOf(installed);
  }, 5 * minutes);
  afterAll(() => installed.remove());

  test(
    'loads each entry, with no tool beside it but those that its README names',
    inOrder,
    async () => {
      const needs = (entry: string) => readme.entries.get(entry)?.needs ?? [];
      const modules = entries.filter((entry) => !/\/virtual$|\.json$/.test(entry));
      const inNode = async (entries: string[]) => {
        await installed.write('entries.js', importing(entries));
        await installed.run('node', 'entries.js');
        for (const [entry, names] of await installed.values()) values.set(entry, names);
      };
      await inNode(modules.filter((entry) => needs(entry).length === 0));
      const tools = [...new Set(modules.flatMap(needs))];
      if (tools.length === 0) return;
      await installed.add(tools);
      const ofVitest = (entry: string) => needs(entry).includes('vitest');
      await inNode(modules.filter((entry) => needs(entry).length > 0 && !ofVitest(entry)));
      const inVitest = modules.filter(ofVitest);
      if (inVitest.length === 0) return;
      const text = `import { test } from 'vitest';\n${importing(inVitest)}\ntest('x', () => {});\n`;
      await installed.write('entries.test.js', text);
      await installed.run('vitest', 'run');
      for (const [entry, names] of await installed.values()) values.set(entry, names);
    },
  );

  test('has a README that names each entry, and each value that it exports', inOrder, () => {
    expect([...readme.entries.keys()].sort()).toEqual([...entries].sort());
    const unnamed = [...values].flatMap(([entry, names]) =>
      names
        .filter((name) => !readme.entries.get(entry)?.exports.includes(name))
        .map((name) => `${entry}: ${name}`),
    );
    expect(unnamed).toEqual([]);
  });

  test(
    'has types for each entry, each name in its README and the example there',
    inOrder,
    async () => {
      const { language, code } = readme.example;
      if (/^tsx?$/.test(language)) await installed.write(`example.${language}`, code);
      const named = [...readme.entries].flatMap(([entry, { exports }], at) => [
        `import '${entry}';`,
        ...exports.map((name) => `export type { ${name} as ${name}${at} } from '${entry}';`),
      ]);
      await installed.write('entries.ts', named.join('\n'));
      const own = wrongTypesIn(installed.folder);
      expect(own).toEqual([]);
    },
  );

  test('runs its README’s example', inOrder, async () => {
    const { language, code } = readme.example;
    if (language === 'sh') {
      await installed.run('sh', '-e', '-c', code);
      return;
    }
    const { outputText } = ts.transpileModule(code, {
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        jsx: ts.JsxEmit.ReactJSX,
      },
    });
    await installed.write('example.mjs', outputText);
    expect(await installed.run('node', 'example.mjs')).toBe(readme.printed);
    expect(readme.printed).not.toBe('');
  });

  test('has commands that explain themselves', inOrder, async () => {
    for (const command of Object.keys(installed.manifest.bin ?? {})) {
      expect(await installed.run(command, '--help')).toMatch(/^Usage|^gatehouse-\w+ <|--\w+/m);
    }
  });
});

/** A module that writes down which values the entries export. */
function importing(entries: readonly string[]): string {
  const names = entries.map(
    (entry) => `['${entry}', Object.keys(await import('${entry}')).sort()]`,
  );
  return `import { writeFileSync } from 'node:fs';
writeFileSync('values.json', JSON.stringify([${names.join()}]));`;
}

/** What the compiler says of the package's own types, of the entries and of the example, in a strict project. */
function wrongTypesIn(folder: string): string[] {
  const program = ts.createProgram(ts.sys.readDirectory(folder, ['.ts', '.tsx'], [], ['*']), {
    strict: true,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    module: ts.ModuleKind.NodeNext,
    types: ['node'],
    typeRoots: [path.join(folder, 'node_modules/@types')],
    jsx: ts.JsxEmit.ReactJSX,
    resolveJsonModule: true,
    noUncheckedSideEffectImports: true,
    noEmit: true,
  });
  return program
    .getSourceFiles()
    .filter(({ fileName }) => {
      const place = path.relative(folder, fileName);
      return /^((entries|example)\.|node_modules\/(@gatehouse|turbo-stream)\/)/.test(place);
    })
    .flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ])
    .map(
      ({ file, messageText }) =>
        `${path.relative(folder, file?.fileName ?? '')}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
}
