/** `npm run init`: arguments in, files and words out. */
import { createHash } from 'node:crypto';
import { rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { init } from './init.ts';
import { readFiles } from './repository.ts';
import { gitIn, repositoryOf, templateFiles, type TestRepository } from './test-repository.ts';
import { down, enter, terminalFor } from './test-terminal.ts';
import { write } from './writing/write.ts';

interface Manifest extends Record<string, unknown> {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}
interface Written {
  files: Record<string, string>;
  removed: string[];
}

const read = async <T>(repository: TestRepository, file: string) =>
  JSON.parse(await repository.read(file)) as T;
const record = (repository: TestRepository) => read<Written>(repository, '.gatehouse.json');
const digest = (text: string) => createHash('sha256').update(text).digest('hex');
const all = ['framewise', '--without', 'studio,mcp'];

test('the template’s and samples’ files are removed, and the rest gets the site’s name', async () => {
  const repository = await repositoryOf();
  const { code, output } = await repository.init(...all);
  expect(output).toContain('npm install');
  expect(code).toBe(0);

  const files = await repository.files();
  expect(Object.keys(files).sort()).toEqual(
    [
      '.env.example',
      '.gatehouse.json',
      '.gitignore',
      'AGENTS.md',
      'README.md',
      'app/platform/feature.json',
      'app/platform/user.ts',
      'app/routes.ts',
      'app/site.json',
      'e2e/flows/site.spec.ts',
      'package.json',
      'tsconfig.json',
      'vendor/LICENSE',
    ].sort(),
  );
  expect(JSON.parse(files['app/site.json'] ?? '')).toEqual({
    name: 'Framewise',
    headline: 'Welcome to Framewise.',
    description: 'Sign in with your platform account to use this site.',
  });
  expect(files['app/routes.ts']).toBe("export { default as user } from './platform/user';\n");
  expect(files['README.md']).toBe('# Framewise\n\nIt is a site.\n');
  expect(files['AGENTS.md']).toBe('# Rules\n\nThere are rules.\n\n## Others\n\nKeep them.\n');
  expect(files['vendor/LICENSE']).toBe(templateFiles['LICENSE']);
  expect(JSON.parse(files['tsconfig.json'] ?? '')).toEqual({ include: ['app'] });
});

test('the manifest loses workspaces, scripts and dependencies that are no longer used', async () => {
  const repository = await repositoryOf();
  await repository.init(...all);
  expect(await read(repository, 'package.json')).toEqual({
    name: 'framewise',
    version: '1.2.3',
    private: true,
    description: 'Framewise: a site inside the platform’s page.',
    scripts: {
      build: 'bundle',
      lint: 'lint .',
      typecheck: 'check',
      test: 'gatehouse-parts build lint',
      'test:all': 'gatehouse-parts test then typecheck',
    },
    dependencies: {},
    overrides: { unrelated: '1.0.0' },
    devDependencies: { unrelated: '^1.0.0' },
  });
});

test('a feature that stays no longer lists the files that went with another', async () => {
  const repository = await repositoryOf();
  const feature = (files: string[], shared: string[]) =>
    `${JSON.stringify({ about: 'It stays.', files, shared }, null, 2)}\n`;
  const flow = 'e2e/flows/both.spec.ts';
  await repository.write('app/platform/feature.json', feature([flow, 'a.ts'], ['b.ts', flow]));
  await repository.commit();
  await repository.init('framewise', '--auth', 'platform');
  const left = (await repository.files())['app/platform/feature.json'];
  expect(left).toBe(feature(['a.ts'], ['b.ts']));
});

test('what two features list goes with the last of them', async () => {
  const repository = await repositoryOf();
  await repository.init('framewise', '--auth', 'both', '--without', 'studio');
  const kept = await read<Manifest>(repository, 'package.json');
  expect(Object.keys(kept.dependencies)).toEqual(['shared', 'mail']);
  await repository.commit();
  await repository.init('framewise', '--auth', 'platform');
  const rest = await read<Manifest>(repository, 'package.json');
  expect(Object.keys(rest.dependencies)).toEqual([]);
});

test('a feature that says something unknown is rejected, and nothing changes', async () => {
  const wrong = { 'app/acme/feature.json': '{ "dependancies": ["a"] }' };
  const repository = await repositoryOf({ ...templateFiles, ...wrong });
  const { code, output } = await repository.init('framewise');
  expect([code, output]).toEqual([
    1,
    'app/acme/feature.json has a field "dependancies", which no feature has.\n',
  ]);
  expect(await repository.git('status', '--porcelain')).toBe('');
});

test('samples that stay get the site’s name', async () => {
  const repository = await repositoryOf();
  await repository.init('@acme/story-board');
  const files = await repository.files();
  expect(JSON.parse(files['app/site.json'] ?? '')).toHaveProperty('name', 'Story Board');
  expect(files['README.md']).toContain('And an MCP server.');
  expect(files['app/studio/routes.ts']).toBe(templateFiles['app/studio/routes.ts']);
  expect(JSON.parse(files['mcp-server/package.json'] ?? '')).toMatchObject({
    name: '@acme/story-board-mcp-server',
    mcpName: 'io.github.your-name/story-board-mcp-server',
    bin: { 'mcp-server': 'dist/main.js' },
  });
  expect((await read<Manifest>(repository, 'package.json')).scripts).toHaveProperty('mcp');
});

test('the record has the digest of every file except itself and the lock', async () => {
  const repository = await repositoryOf({
    ...templateFiles,
    // Local packages, so that npm needs no registry.
    'package.json': JSON.stringify({
      name: 'gatehouse',
      version: '1.2.3',
      workspaces: ['mcp-server'],
    }),
    'package-lock.json': '{}\n',
  });
  await repository.init(...all);
  const files = await repository.files();
  expect(files['package-lock.json']).toContain('"framewise"');
  expect(await record(repository)).toEqual({
    version: '1.2.3',
    name: 'framewise',
    removed: ['accounts', 'mcp', 'notes', 'studio', 'template'],
    files: Object.fromEntries(
      Object.entries(files)
        .filter(([file]) => file !== '.gatehouse.json' && file !== 'package-lock.json')
        .map(([file, text]) => [file, digest(text)]),
    ),
  });
});

test('repeating a run changes nothing, even with uncommitted changes', async () => {
  const repository = await repositoryOf();
  await repository.init(...all);
  const before = await repository.files();
  expect(await repository.init(...all)).toEqual({
    code: 0,
    output: 'Nothing to do.\n',
  });
  expect((await repository.init('framewise')).code).toBe(0);
  expect(await repository.files()).toEqual(before);
});

test('another run only removes, and leaves later changes', async () => {
  const repository = await repositoryOf();
  await repository.init('framewise', '--without=studio');
  await repository.write('README.md', '# Mine\n');
  await repository.write('app/site.json', '{ "name": "Mine" }\n');
  await repository.write('app/board.ts', 'export {};\n');
  await repository.commit();
  const before = await repository.files();

  expect((await repository.init('framewise', '--without', 'mcp')).code).toBe(0);
  const after = await repository.files();
  expect(Object.keys(before).filter((file) => !(file in after))).toEqual([
    'mcp-server/feature.json',
    'mcp-server/main.ts',
    'mcp-server/package.json',
  ]);
  expect(Object.keys(after).filter((file) => !(file in before))).toEqual([]);
  expect(Object.keys(after).filter((file) => after[file] !== before[file])).toEqual([
    '.gatehouse.json',
    'AGENTS.md',
    'package.json',
  ]);
});

test('a later run removes the tarballs that nothing needs any more', async () => {
  const repository = await repositoryOf();
  await repository.init('framewise', '--without', 'studio');
  const manifest = await read<Manifest>(repository, 'package.json');
  manifest.dependencies['used'] = 'file:vendor/used-1.0.0.tgz';
  await repository.write('package.json', JSON.stringify(manifest));
  await repository.write('vendor/used-1.0.0.tgz', '');
  await repository.write('vendor/unused-1.0.0.tgz', '');
  await repository.commit();
  expect((await repository.init('framewise', '--without', 'mcp')).code).toBe(0);
  const tarballs = Object.keys(await repository.files()).filter((file) => file.endsWith('.tgz'));
  expect(tarballs).toEqual(['vendor/used-1.0.0.tgz']);
});

test('a later run does not record edited files as untouched, nor new files as the template’s', async () => {
  const repository = await repositoryOf();
  await repository.init('framewise');
  const { files: first } = await record(repository);
  const agents = await repository.read('AGENTS.md');
  await repository.write('AGENTS.md', `${agents}\nMine.\n`);
  await repository.write('app/board.ts', 'export {};\n');
  await repository.git('rm', '--quiet', 'e2e/flows/site.spec.ts');
  await repository.commit();

  await repository.init('framewise', '--without', 'mcp');
  const { files: second, removed } = await record(repository);
  const files = await repository.files();
  expect(removed).toEqual(['accounts', 'mcp', 'notes', 'template']);
  expect(files['AGENTS.md']).not.toContain('mcp-server');
  // Edited, before this run changed it as well.
  expect(second['AGENTS.md']).toBe(first['AGENTS.md']);
  // Untouched, and changed only by this run.
  expect(second['package.json']).toBe(digest(files['package.json'] ?? ''));
  // Removed from the template; removed with the sample; never part of the template.
  expect(second['e2e/flows/site.spec.ts']).toBe(first['e2e/flows/site.spec.ts']);
  expect(Object.keys(second)).not.toContain('mcp-server/main.ts');
  expect(Object.keys(second)).not.toContain('app/board.ts');
});

test.each([
  ['no mode is given', [], ['platform']],
  ['platform', ['--auth', 'platform'], ['platform']],
  ['in-app', ['--auth', 'in-app'], ['accounts']],
  ['both', ['--auth=both'], ['platform', 'accounts']],
])('only the mode’s kinds of accounts stay: %s [W29]', async (_, args, kept) => {
  const repository = await repositoryOf();
  expect(await repository.init('framewise', ...args)).toMatchObject({ code: 0 });
  const files = await repository.files();
  const routes = files['app/routes.ts'] ?? '';
  for (const kind of ['platform', 'accounts']) {
    const isKept = kept.includes(kind);
    expect(Object.keys(files).some((file) => file.startsWith(`app/${kind}/`))).toBe(isKept);
    expect(routes.includes(`./${kind}/`)).toBe(isKept);
  }
  const { dependencies } = await read<Manifest>(repository, 'package.json');
  expect('mail' in dependencies).toBe(kept.includes('accounts'));
  expect('app/migrations.server.ts' in files).toBe(kept.includes('accounts'));
  expect('e2e/flows/both.spec.ts' in files).toBe(kept.length === 2);
  // The studio needs the platform's SDK.
  expect('app/studio/routes.ts' in files).toBe(kept.includes('platform'));
  // The notes need site accounts.
  expect(notesOf(files).length > 0).toBe(kept.includes('accounts'));

  const again = await repository.init('framewise', ...args);
  expect(again.output).toBe('Nothing to do.\n');
  expect((await repository.init('framewise')).output).toBe(again.output);
  expect(await repository.files()).toEqual(files);
});

test('removing the notes leaves the accounts unchanged', async () => {
  const repository = await repositoryOf();
  const args = ['framewise', '--auth', 'in-app', '--without', 'notes'];
  expect(await repository.init(...args)).toMatchObject({ code: 0 });
  const files = await repository.files();
  expect(notesOf(files)).toEqual([]);
  expect(files['app/routes.ts']).not.toContain('notes');
  expect(files).toHaveProperty(['app/accounts/routes.ts']);
});

/** The files of the notes sample. */
function notesOf(files: Record<string, string>): string[] {
  return Object.keys(files).filter((file) => /notes/.test(file));
}

test('a later run removes another kind of accounts, and updates the settings [W29]', async () => {
  const repository = await repositoryOf();
  await repository.init('framewise', '--auth', 'both');
  await repository.commit();
  expect(await repository.init('framewise', '--auth', 'in-app')).toMatchObject({ code: 0 });
  const files = await repository.files();
  expect(files).not.toHaveProperty('app/platform/user.ts');
  expect(files['app/site.json']).toContain('Create an account on this site to use it.');
});

test.each([
  ['platform', 'in-app', 'accounts of the site’s own'],
  ['platform', 'both', 'accounts of the site’s own'],
  ['in-app', 'platform', 'the platform’s sign-in'],
])(
  'what a run with %s removed, a later one with %s does not restore [W29]',
  async (first, then, what) => {
    const repository = await repositoryOf();
    await repository.init('framewise', '--auth', first);
    await repository.commit();
    const before = await repository.files();
    const { code, output } = await repository.init('framewise', '--auth', then);
    expect([code, output]).toEqual([1, expect.stringContaining(what) as string]);
    expect(await repository.files()).toEqual(before);
  },
);

test('git restores everything', async () => {
  const repository = await repositoryOf();
  const { output } = await repository.init(...all);
  expect(output).toContain('git stash --include-untracked');
  await repository.undo();
  expect(await repository.files()).toEqual(templateFiles);
});

test('tools’ output is removed with its folder; untracked files stay, and are listed', async () => {
  const repository = await repositoryOf();
  await repository.write('mcp-server/.env', 'SECRET=1\n');
  await repository.write('mcp-server/dist/main.js', '');
  const { output } = await repository.init(...all);
  expect(output).toContain('mcp-server/.env');
  const left = Object.keys(await repository.files()).filter((file) => file.startsWith('mcp-'));
  expect(left).toEqual(['mcp-server/.env']);
});

test('it works without git, leaves files that git would not track, and warns that it cannot be undone', async () => {
  const repository = await repositoryOf(
    { ...templateFiles, '.env': 'PORT=1\n' },
    { history: false },
  );
  const { code, output } = await repository.init(...all);
  expect([code, output]).toEqual([0, expect.stringContaining('not possible') as string]);
  expect(await repository.files()).toHaveProperty('.gatehouse.json');
  expect((await record(repository)).files).not.toHaveProperty('.env');
});

test.each([
  ['no name', [], 'needs a name'],
  ['an unknown sample', ['a', '--without', 'blog'], 'accepts notes, studio, mcp, not "blog"'],
  ['a dependency’s name', ['canvas'], '"canvas" is the name of a package'],
  ['a workspace’s name', ['init'], '"init" is the name of a package'],
])('%s is rejected with a sentence, and nothing changes', async (_, args, sentence) => {
  const repository = await repositoryOf();
  const { code, output } = await repository.init(...args);
  expect([code, output]).toEqual([1, expect.stringContaining(sentence) as string]);
  expect(output.trimEnd().split('\n')).toHaveLength(1);
  expect(await repository.files()).toEqual(templateFiles);
});

test('the command prints the same, and fails when it is refused', async () => {
  const [first, second] = [await repositoryOf(), await repositoryOf()];
  for (const args of [[], ['--help'], all, all]) {
    expect(await first.command(...args)).toEqual(await second.init(...args));
  }
  expect(await first.files()).toEqual(await second.files());
});

test.each([
  ['an edited file', 'AGENTS.md'],
  ['a new file', 'app/mine.ts'],
])('%s that is not committed is rejected, and nothing changes', async (_, file) => {
  const repository = await repositoryOf();
  await repository.write(file, 'export {};\n');
  const before = await repository.files();
  const { code, output } = await repository.init(...all);
  expect([code, output]).toEqual([1, expect.stringMatching(/uncommitted.*commit or/) as string]);
  expect(output).toContain(file);
  expect(await repository.files()).toEqual(before);
});

test('a lock changed by npm install does not count as uncommitted work', async () => {
  const repository = await repositoryOf({
    ...templateFiles,
    'package.json': JSON.stringify({ name: 'gatehouse', version: '1.2.3' }),
    'package-lock.json': '{}\n',
  });
  await repository.write('package-lock.json', '{ "name": "gatehouse" }\n');
  await repository.write('app/package-lock.json', '{}\n');
  expect((await repository.init(...all)).output).toContain('(app/package-lock.json)');
  await repository.git('clean', '--force', '--quiet', 'app');
  expect(await repository.init(...all)).toMatchObject({ code: 0 });
});

test('repeating an interrupted run completes it', async () => {
  const whole = await repositoryOf(templateFiles, { history: false });
  await whole.init(...all);
  const repository = await repositoryOf(templateFiles, { history: false });
  await repository.interruptedInit(...all);
  const half = await repository.files();
  expect(half['README.md']).toBe(templateFiles['README.md']);
  expect(half).not.toHaveProperty(['template/bench.ts']);
  expect(await repository.init(...all)).toMatchObject({ code: 0 });
  expect(await repository.files()).toEqual(await whole.files());
});

test('a repository that git refuses to read is left alone', async () => {
  const repository = await repositoryOf();
  await repository.write('README.md', 'Not committed.\n');
  await repository.write('.git/config', '[broken');
  const { code, output } = await repository.init(...all);
  expect([code, output]).toEqual([1, expect.stringContaining('git cannot read') as string]);
  expect(await repository.files()).toEqual({ ...templateFiles, 'README.md': 'Not committed.\n' });
});

test('JSON files of the site’s own stay as they are', async () => {
  const own = '{"folders":["template","mine"],"big":12345678901234567890}\n';
  const repository = await repositoryOf({
    ...templateFiles,
    'own.json': own,
  });
  expect(await repository.init(...all)).toMatchObject({ code: 0 });
  expect(await repository.read('own.json')).toBe(own);
});

test('what is missing is asked once: a later run does what it is told', async () => {
  const repository = await repositoryOf();
  const { terminal, screen } = terminalFor([
    ['name?', 'framewise', enter],
    ['Whose accounts', down, enter],
    ['begin with?', enter],
    ['Go ahead?', enter],
  ]);
  await init(repository.folder, [], terminal);
  expect(await read(repository, '.gatehouse.json')).toMatchObject({ name: 'framewise' });
  expect(screen()).toMatch(/Removed: [^]*app\/platform/);
  expect(await init(repository.folder, ['framewise'], terminal)).toBe('Nothing to do.');
});

test('in a larger repository, only its own folder counts, and is undone', async () => {
  const own = Object.entries(templateFiles).map(([file, text]) => [`sites/a/${file}`, text]);
  const larger = await repositoryOf({
    ...(Object.fromEntries(own) as Record<string, string>),
    'package.json': '{ "workspaces": ["sites/*"] }',
    'package-lock.json': '{}',
  });
  await larger.write('package-lock.json', '{ "name": "larger" }');
  await larger.write('other.txt', 'Not committed.\n');
  const before = await larger.files();
  const folder = path.join(larger.folder, 'sites/a');
  // A link is no folder to git.
  await symlink(larger.folder, path.join(folder, 'node_modules'));
  const output = await init(folder, all);
  const undo = /Undo +git (.*)/.exec(output)?.[1]?.split(' ') ?? [];
  expect(await larger.read('sites/a/README.md')).toContain('# Framewise');
  await gitIn(folder, '-c', 'user.name=A', '-c', 'user.email=a@b.example', ...undo);
  await rm(path.join(folder, 'node_modules'));
  expect(await larger.files()).toEqual(before);

  await larger.write('sites/a/mine.txt', 'Not committed.\n');
  await expect(init(folder, all)).rejects.toThrow('uncommitted work (sites/a/mine.txt)');
});

test('files that change while a run is being prepared stay as they are', async () => {
  const { folder, write: edit, files } = await repositoryOf();
  const { files: before } = await readFiles(folder);
  await edit('AGENTS.md', 'Mine.\n');
  const writing = { root: folder, before, after: new Map(), report: '' };
  await expect(write(writing)).rejects.toThrow('AGENTS.md was changed meanwhile');
  expect(await files()).toEqual({ ...templateFiles, 'AGENTS.md': 'Mine.\n' });
});

test('a file that git ignores is not overwritten', async () => {
  const repository = await repositoryOf();
  // A folder in the license's place.
  await repository.write('vendor/LICENSE/node_modules/a.js', '');
  const before = await repository.files();
  const { code, output } = await repository.init(...all);
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/vendor\/LICENSE .* git does not track/),
  ]);
  expect(await repository.files()).toEqual(before);
});

test('a file in the place of a folder is named, and nothing is changed', async () => {
  const repository = await repositoryOf({ ...templateFiles, '.gitignore': '/vendor\n.cache\n' });
  await repository.write('vendor', 'A file in a folder’s place.\n');
  const before = await repository.files();
  const { code, output } = await repository.init(...all);
  expect([code, output]).toEqual([1, expect.stringMatching(/^vendor is no folder .*\n$/)]);
  expect(await repository.files()).toEqual(before);
});

test('CRLF line endings make no difference', async () => {
  const lines = (text: string) => text.replaceAll('\n', '\r\n');
  const repository = await repositoryOf(
    Object.fromEntries(Object.entries(templateFiles).map(([file, text]) => [file, lines(text)])),
  );
  expect(await repository.init(...all)).toMatchObject({ code: 0 });
  const plain = await repositoryOf();
  await plain.init(...all);
  const unified = (files: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(files)
        .filter(([file]) => file !== '.gatehouse.json')
        .map(([file, text]) => [file, text.replaceAll('\r', '')]),
    );
  expect(unified(await repository.files())).toEqual(unified(await plain.files()));
});

test('a symbolic link to a folder is skipped', async () => {
  const repository = await repositoryOf();
  await symlink('app', path.join(repository.folder, 'shortcut'));
  await repository.commit();
  expect(await repository.init(...all)).toMatchObject({ code: 0 });
});

test('a name on Object.prototype is allowed', async () => {
  const repository = await repositoryOf();
  expect(await repository.init('constructor')).toMatchObject({ code: 0 });
});

test('a different name in a second run is rejected', async () => {
  const repository = await repositoryOf();
  await repository.init('framewise');
  await repository.commit();
  const before = await repository.files();
  const { code, output } = await repository.init('other', '--without', 'mcp');
  expect([code, output]).toEqual([1, expect.stringContaining('named "framewise"') as string]);
  expect(await repository.files()).toEqual(before);
});

test.each([
  ['an invalid manifest', { 'mcp-server/package.json': 'no JSON' }, /mcp-server\/package.json/],
  ['an invalid lock', { 'package-lock.json': 'no JSON' }, /package-lock.json/],
  [
    'a lock that npm cannot write',
    {
      'package-lock.json': '{}',
      'package.json': JSON.stringify({ name: 'gatehouse', dependencies: { a: 'no:where' } }),
    },
    /npm could not write the lock/,
  ],
])('%s stops it before anything is changed', async (_, broken, sentence) => {
  const repository = await repositoryOf({ ...templateFiles, ...broken });
  const before = await repository.files();
  const { code, output } = await repository.init(...all);
  expect([code, output]).toEqual([1, expect.stringMatching(sentence) as string]);
  expect(output).toContain('nothing was changed');
  expect(await repository.files()).toEqual(before);
});

test('it rejects a folder that is not the template', async () => {
  const repository = await repositoryOf({ 'package.json': '{}\n' });
  const { code, output } = await repository.init('framewise');
  expect([code, output]).toEqual([1, expect.stringContaining('run it in the template') as string]);
});

test('a registry loses the lines of what goes, and keeps the others', async () => {
  const registry = [
    "export { default as studio } from './studio/feature';",
    "export { default as accounts } from './accounts/feature';",
    "export { default as like } from './studio-like';",
    '',
  ];
  const repository = await repositoryOf({
    ...templateFiles,
    'app/features.ts': registry.join('\n'),
  });
  await repository.init('framewise', '--auth', 'both', '--without', 'studio');
  expect(await repository.read('app/features.ts')).toBe(registry.slice(1).join('\n'));
});

test.each([
  ['imports', "import studio from '~/studio/routes';\n\nexport default studio;\n"],
  [
    'registers in more than one line',
    "export {\n  default as studio,\n} from '~/studio/routes';\n",
  ],
])('a file that %s what would be removed is named, and nothing changes', async (_, mine) => {
  const repository = await repositoryOf({ ...templateFiles, 'app/mine.ts': mine });
  const { code, output } = await repository.init('framewise', '--without', 'studio');
  expect([code, output]).toEqual([
    1,
    expect.stringContaining('app/mine.ts imports ~/studio/routes, which would be removed'),
  ]);
  expect(await repository.git('status', '--porcelain')).toBe('');
});
