/** A site of each auth mode, made by `npm run init`: it is checked, built, proven, and passes its flows (W29). */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyRepository, init } from './made-site';

test.each(['platform', 'in-app', 'both'])(
  'a site whose auth mode is %s keeps every rule [W29]',
  async (mode) => {
    const site = await copyRepository();
    onTestFinished(site.remove);
    await init(site, 'framewise', '--auth', mode, '--without', 'mcp');
    await site.run('npm', 'run', 'typecheck');
    await site.run('npm', 'run', 'lint');
    await site.run('npm', 'run', 'test:unit');
    await site.run('npm', 'run', 'build');
    const proof = await site.run('npm', 'run', '--silent', 'boundary', '--', '--built', '--json');
    expect(JSON.parse(proof)).toMatchObject({ holds: true, findings: [] });
    await site.run('npm', 'run', 'test:flows');

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
