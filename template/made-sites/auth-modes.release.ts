/**
 * Sites made by `npm run init` in the auth modes that this repository does not use itself build, pass the proof, and pass
 * their flows (W29).
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyRepository, init } from './made-site';

test.each([
  ['platform', 'studio,mcp'],
  ['in-app', 'mcp'],
])(
  'a site whose auth mode is %s keeps every rule, and has no code of another mode [W29]',
  async (mode, without) => {
    const site = await copyRepository();
    onTestFinished(site.remove);
    await init(site, 'framewise', '--auth', mode, '--without', without);
    await site.run('npm', 'run', 'build');
    // Side by side, as in `npm test`.
    const [proof] = await Promise.all([
      site.run('npm', 'run', '--silent', 'boundary', '--', '--built', '--json'),
      site.run('npm', 'run', 'test:flows'),
    ]);
    expect(JSON.parse(proof)).toMatchObject({ holds: true, findings: [] });

    const built = await site.run('git', 'grep', '--no-index', '-l', '', '--', 'build/server');
    const scripts = await Promise.all(
      built
        .trim()
        .split('\n')
        .map((file) => readFile(path.join(site.folder, file), 'utf8')),
    );
    const code = scripts.join('\n');
    expect(code.includes('__Host-site-session')).toBe(mode !== 'platform');
    expect(code.includes('/__auth/login')).toBe(mode !== 'in-app');
    const { dependencies = {} } = JSON.parse(
      await readFile(path.join(site.folder, 'package.json'), 'utf8'),
    ) as { dependencies?: Record<string, string> };
    expect('kysely' in dependencies).toBe(mode !== 'platform');
    expect('undici' in dependencies).toBe(mode !== 'in-app');
  },
);
