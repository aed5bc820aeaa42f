/** The platform's internal address never reaches a browser (W02). */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '../../e2e/fixtures';
import { httpVisitor, type ReceivedResponse } from '@gatehouse/simulator/http';
import { orderRequest, orderForm, submit } from './order';

const clientBuild = fileURLToPath(new URL('../../build/client', import.meta.url));

/** Names that only server code contains. One in a client bundle means that server code was bundled. */
const serverOnly = [
  'PLATFORM_INTERNAL_URL',
  'platformInternalUrl',
  'x-platform-visitor',
  'UpstreamFailure',
  'process.env',
  'node:crypto',
  'undici',
];

test('the client build contains no server code, internal address or source map [W02 W12]', async () => {
  const files = await readdir(clientBuild, { recursive: true });
  expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
  const scripts = files.filter((file) => /\.(js|css|html|json)$/.test(file));
  expect(scripts.length).toBeGreaterThan(5);
  for (const file of scripts) {
    const text = await readFile(join(clientBuild, file), 'utf8');
    expect(
      serverOnly.filter((name) => text.includes(name)),
      file,
    ).toEqual([]);
    expect(text, file).not.toMatch(/127\.0\.0\.1|sourceMappingURL/);
  }
});

test('detects server code in a bundle: the server bundle contains each of these names [W02]', async () => {
  const built = fileURLToPath(new URL('../../build/server', import.meta.url));
  const files = await readdir(built, { recursive: true });
  const texts = await Promise.all(
    files.filter((file) => file.endsWith('.js')).map((file) => readFile(join(built, file), 'utf8')),
  );
  const all = texts.join('\n');
  const known = serverOnly.filter((name) => name !== 'x-platform-visitor');
  expect(known.filter((name) => !all.includes(name))).toEqual([]);
});

/** Strings that only development code contains, and the files that contain them. */
const developmentOnly = {
  'data-development': 'app/shell/errors/error-page.tsx',
  // With quotes, because Vite's preload helper uses the name without them.
  '"csp-nonce"': 'app/root.tsx',
  'site:compile-error': 'packages/server/src/development/pages.ts',
  'own port': 'packages/server/src/development/pages.ts',
};

test('the build contains no development output: errors, stack traces, the local port [W33]', async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const files = await readdir(join(root, 'build'), { recursive: true });
  const scripts = files.filter((file) => file.endsWith('.js'));
  const built = await Promise.all(
    scripts.map((file) => readFile(join(root, 'build', file), 'utf8')),
  );
  for (const [name, source] of Object.entries(developmentOnly)) {
    expect(await readFile(join(root, source), 'utf8'), source).toContain(name);
    expect(built.filter((text) => text.includes(name)).length, name).toBe(0);
  }
});

const faults = [
  { kind: 'status', status: 500, body: 'failed', contentType: 'text/plain' },
  { kind: 'redirect', location: '/user' },
  { kind: 'unreachable' },
  { kind: 'reset' },
  { kind: 'bad_json' },
] as const;

for (const fault of [null, ...faults]) {
  const when = fault === null ? 'all is well' : `the platform fails: ${fault.kind}`;
  test(`discloses no internal address when ${when} [W02 W33]`, async ({ platform }) => {
    if (fault) await platform.faults.set('*', fault);
    for (const persona of ['ada', null]) {
      const visitor = httpVisitor(platform, persona);
      const responses = [
        await visitor.get('/'),
        await visitor.get('/studio'),
        await visitor.get('/studio.data'),
        await visitor.get('/account'),
        await visitor.get('/no-such-page'),
        await visitor.get('/api/user'),
        await visitor.get('/api/generations'),
        await visitor.get('/api/generations/gen_1/output.png'),
        await visitor.get('/api/nothing'),
        await visitor.get('/%'),
        await visitor.get('/healthz'),
        await visitor.get('/readyz'),
        await visitor.post(submit(), orderRequest({ prompts: ['a fox'] })),
        await visitor.post('/studio', orderForm({ prompt: 'a fox' })),
        await visitor.post('/studio', { body: 'a fox' }),
      ];
      expect(responses.filter((response) => discloses(response, platform.internalUrl))).toEqual([]);
    }
  });
}

test('detects the internal address in a body or a header [W02]', async ({ platform }) => {
  const body = JSON.stringify({ see: `${platform.internalUrl}/user` });
  await platform.faults.set('user', { kind: 'status', status: 500, body });
  // By contract this body is relayed, so here the platform itself discloses its address.
  const relayed = await httpVisitor(platform, 'ada').get('/api/user');
  expect(discloses(relayed, platform.internalUrl)).toBe(true);
  const inHeader = { ...relayed, text: '', rawHeaders: ['Link', `<${platform.internalUrl}>`] };
  expect(discloses(inHeader, platform.internalUrl)).toBe(true);
});

function discloses({ text, rawHeaders }: ReceivedResponse, internalUrl: string): boolean {
  const { host, port } = new URL(internalUrl);
  const seen = `${rawHeaders.join('\n')}\n${text}`;
  return [host, `:${port}`, `%3A${port}`, 'PLATFORM_INTERNAL'].some((part) => seen.includes(part));
}
