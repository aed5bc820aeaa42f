import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { callUpstream } from '~/platform/upstream.server';
import { bytes, json, reset, startUpstream, type Reply } from '~/testing/upstream-double';
import { post, postJson, startSite } from '~/testing/whole-site';

const lines = vi.hoisted((): string[] => []);
vi.mock('~/server/log.server', async () => {
  const { pino } = await import('pino');
  return { log: pino({ base: null }, { write: (line: string) => void lines.push(line) }) };
});

const platform = await startUpstream();
vi.stubEnv('PLATFORM_INTERNAL_URL', platform.url);
const site = await startSite({
  // Negative control: an operation that forgets the guard.
  forgetful: {
    loader: async () => new Response((await callUpstream({ path: '/generations' })).body),
    default: undefined,
  },
});

const ada = { id: 'u1', name: 'Ada', credits: 7 };
const running = {
  id: 'g1',
  prompt: 'a fox',
  status: 'running',
  progress: 0.5,
  created_at: '2026-11-21T07:00:00Z',
};
const done = { ...running, status: 'succeeded', output: { content_type: 'image/png' } };
const png = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489',
  'hex',
);

beforeEach(() => {
  platform.forget();
  lines.length = 0;
});
afterAll(() => platform.close());

function signIn(): void {
  platform.on('/user', json(200, ada));
  platform.on('/generations', (response, request) => {
    const reply =
      request.method === 'POST'
        ? json(201, running)
        : json(200, { items: [done], next_cursor: null });
    reply(response, request);
  });
  platform.on('/generations/g1', json(200, done));
  platform.on('/generations/g1/output', bytes(200, png, { 'content-type': 'image/png' }));
}

const signedOutBody = { error: 'signed out', hint: { of: 'the platform' } };
const signOut = () => {
  platform.on('/user', json(401, signedOutBody));
};

/** All that a browser can see of an answer. */
async function visible(response: Response): Promise<string> {
  return JSON.stringify([response.status, [...response.headers], await response.text()]);
}

const operations = () => platform.requests.filter(({ path }) => path !== '/user');
const asked = () => platform.requests.map(({ method, path }) => `${method} ${path}`);

const resources: [string, RequestInit?][] = [
  ['/api/generations'],
  ['/api/generations?cursor=c2'],
  ['/api/generations/g1'],
  ['/api/generations/g1/output.png'],
  ['/api/generations', postJson({ prompt: 'a fox' })],
];
const pages: [string, RequestInit?][] = [
  ['/'],
  ['/studio'],
  ['/studio?cursor=c2'],
  ['/account'],
  ['/studio', post({ prompt: 'a fox' })],
  ['/_root.data'],
  ['/studio.data'],
  ['/studio.data?_routes=routes%2Fstudio'],
  ['/account.data'],
  ['/account.data?_routes=routes%2Faccount'],
  ['/studio.data', post({ prompt: 'a fox' })],
];

test('the double hears an operation that forgets the guard [W09]', async () => {
  signOut();
  platform.on('/generations', json(200, { items: [] }));
  await (await site.ask('/forgetful')).text();
  expect(operations()).toHaveLength(1);
});

test.each([...resources, ...pages])(
  'signed out, %s asks who it is once, and does nothing else [W09] [W13] [W19]',
  async (path, init) => {
    signIn();
    signOut();
    await (await site.ask(path, init)).text();
    expect(asked()).toEqual(['GET /user']);
  },
);

test.each([...resources, ...pages])(
  'with the platform lost, %s does nothing else either [W09] [W19]',
  async (path, init) => {
    for (const reply of [json(503, {}), json(302, {}), reset]) {
      platform.forget();
      signIn();
      platform.on('/user', reply);
      await (await site.ask(path, init)).text();
      expect(asked()).toEqual(['GET /user']);
    }
  },
);

test.each([...resources, ...pages])(
  'signed in, %s asks who it is first, and once [W09]',
  async (path, init) => {
    signIn();
    await (await site.ask(path, init)).text();
    expect(asked()[0]).toBe('GET /user');
    expect(platform.to('/user')).toHaveLength(1);
  },
);

test.each(resources)('signed out, %s answers as the platform did [W10]', async (path, init) => {
  signOut();
  const response = await site.ask(path, init);
  expect(response.status).toBe(401);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual(signedOutBody);
});

test.each([300, 403, 404, 429, 500, 503])(
  'a check that fails with %i is every resource’s answer [W10] [W32]',
  async (status) => {
    for (const [path, init] of resources) {
      platform.on('/user', json(status, { said: status }));
      const response = await site.ask(path, init);
      expect([path, response.status, await response.text()]).toEqual([
        path,
        status,
        `{"said":${status}}`,
      ]);
    }
  },
);

test('a failed check without JSON is answered with null [W10]', async () => {
  platform.on('/user', bytes(401, '<p>canary</p>', { 'content-type': 'text/html' }));
  const response = await site.ask('/api/generations');
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.text()).toBe('null');
});

test('/api/user is a route of the site, and answers as the listener does [W03] [W04]', async () => {
  platform.on('/user', bytes(418, '{ "id": 1 }', { 'content-type': 'text/x-json' }));
  const response = await site.ask('/api/user');
  expect(response.status).toBe(418);
  expect(response.headers.get('content-type')).toBe('text/x-json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.text()).toBe('{ "id": 1 }');

  const refused = await site.ask('/api/user', postJson({}));
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect(platform.requests).toHaveLength(1);
});

test('signed out, the account page sends a document to sign in, and back [W15]', async () => {
  signOut();
  const response = await site.ask('/account?tab=plan');
  expect(response.status).toBe(302);
  expect(response.headers.get('location')).toBe('/__auth/login?return=%2Faccount%3Ftab%3Dplan');
});

test('signed out, a client navigation to the account page leaves the document [W15]', async () => {
  signOut();
  const response = await site.ask('/account.data?tab=plan');
  const body = await response.text();
  // A status that `fetch` does not follow: Remix reads where to go from the body.
  expect(response.status).toBe(202);
  expect(body).toContain('/__auth/login?return=%2Faccount%3Ftab%3Dplan');
  expect(body).toMatch(/"reload":true/);
});

test.each(['/', '/studio', '/account'])(
  'with the platform lost, %s shows a page and never sends to sign in [W15] [W33]',
  async (path) => {
    platform.on('/user', json(503, { error: 'canary' }));
    const response = await site.ask(path);
    expect(response.status).toBe(path === '/account' ? 503 : 200);
    expect(response.headers.has('location')).toBe(false);
    const page = await response.text();
    expect(page).toContain('Sign-in is not reachable');
    expect(page).not.toContain('canary');
  },
);

test('signed out, the studio’s page has no usable control, with or without a script [W18]', async () => {
  signOut();
  const page = await (await site.ask('/studio')).text();
  expect(page).toContain('<fieldset disabled');
  expect(page).toContain('Generation, uploads, credits and history belong to your account');
  expect(
    page
      .split('<noscript>')
      .join('')
      .match(/<form[^>]*method="post"/g),
  ).toHaveLength(1);
  expect(page).not.toContain('id="plain-prompt"');
  expect(page).not.toContain('Your pictures');
});

test('signed in, the page comes with its controls off until the browser has asked [W16]', async () => {
  signIn();
  const page = await (await site.ask('/studio')).text();
  expect(page).toContain('<fieldset disabled');
  // The way for a browser without a script is inert for every other one.
  expect(page.replaceAll(/<noscript>.*?<\/noscript>/gs, '')).not.toContain('plain-prompt');
  expect(page).toContain('id="plain-prompt"');
  const buttons = page
    .replaceAll(/<noscript>.*?<\/noscript>/gs, '')
    .match(/<button[^>]*>(?:<svg.*?<\/svg>)?(?:Download|View)/gs);
  expect(buttons).not.toBeNull();
  for (const button of buttons ?? []) expect(button).toContain('disabled');
});

test('a profile’s other fields reach no page and no data of one [W20]', async () => {
  signIn();
  platform.on('/user', json(200, { ...ada, token: 'canary', internal: { host: 'canary' } }));
  platform.on('/generations', json(200, { items: [{ ...done, cost: 'canary' }], debug: 'canary' }));
  for (const path of ['/', '/studio', '/account', '/_root.data', '/studio.data', '/account.data']) {
    const response = await site.ask(path);
    expect(response.status).toBe(200);
    expect(await visible(response)).not.toContain('canary');
  }
});

test('a page shows hostile words as words [W33]', async () => {
  const hostile = '</script><script>alert(1)</script><img src=x onerror=alert(1)>';
  signIn();
  platform.on('/user', json(200, { id: 'u1', name: hostile }));
  platform.on('/generations', json(200, { items: [{ ...done, prompt: hostile }] }));
  for (const path of ['/', '/studio', '/account']) {
    const page = await (await site.ask(path)).text();
    expect(page).not.toContain('<script>alert');
    expect(page).not.toContain('<img src=x');
  }
});

const canary = { error: 'canary', message: 'canary', stack: 'canary', path: '/canary' };
const leaks: [string, Reply, number][] = [
  ['401', json(401, canary, { 'www-authenticate': 'canary' }), 401],
  ['402', json(402, canary), 402],
  ['403', json(403, canary), 403],
  ['404', json(404, canary), 404],
  ['409', json(409, canary), 409],
  ['422', json(422, canary), 422],
  ['429', json(429, canary, { 'retry-after': 'canary' }), 429],
  ['500', json(500, canary, { 'x-trace': 'canary', 'set-cookie': 'c=canary' }), 502],
  ['503 as a page', bytes(503, '<h1>canary</h1>', { 'content-type': 'text/html' }), 502],
  ['302', bytes(302, 'canary', { location: 'http://canary.internal/' }), 502],
  ['200 without sense', json(200, canary), 502],
  ['200 that is no JSON', bytes(200, 'canary'), 502],
  ['a reset', reset, 502],
];

test.each(leaks)(
  'a failed operation (%s) tells the browser its code and no word more [W20] [W33] [W02]',
  async (_, reply, status) => {
    for (const [path, init] of resources) {
      platform.forget();
      platform.on('/user', json(200, ada));
      platform.on('*', reply);
      const response = await site.ask(path, init);
      expect([path, response.status]).toEqual([path, status]);
      expect([...response.headers.keys()].sort()).toEqual(['cache-control', 'content-type']);
      const seen = await visible(response);
      expect(seen).toMatch(/\{\\"error\\":\\"[a-z_]+\\"\}/);
      expect(seen).not.toMatch(/canary|127\.0\.0\.1|\bat \w/);
    }
  },
);

test.each(leaks)(
  'a page whose operation fails (%s) says it in our words [W20] [W33] [W02]',
  async (_, reply) => {
    for (const [path, init] of pages) {
      platform.forget();
      platform.on('/user', json(200, ada));
      platform.on('*', reply);
      const seen = await visible(await site.ask(path, init));
      expect(seen).not.toMatch(/canary|127\.0\.0\.1/);
    }
  },
);

test('an exception in a route is logged, and the browser learns nothing of it [W33]', async () => {
  const broken = await startSite({
    broken: {
      default: () => null,
      loader: () => {
        throw new Error('canary: cannot reach 10.0.0.7');
      },
    },
  });
  signIn();
  for (const path of ['/broken', '/broken.data']) {
    const response = await broken.ask(path);
    expect(response.status).toBe(500);
    expect(await visible(response)).not.toMatch(/canary|10\.0\.0\.7/);
  }
  expect(lines.filter((line) => line.includes('canary'))).toHaveLength(2);
  expect(lines[0]).toContain('"requestId":"r1"');
});

test('another person’s picture is 404, as one that never was [W13] [W20]', async () => {
  signIn();
  platform.on('/generations/theirs', json(404, { error: 'canary' }));
  platform.on('/generations/theirs/output', json(404, { error: 'canary' }));
  for (const path of [
    '/api/generations/theirs',
    '/api/generations/theirs/output.png',
    '/api/generations/never-was',
  ]) {
    const response = await site.ask(path);
    expect([response.status, await response.text()]).toEqual([404, '{"error":"not_found"}']);
  }
});

test('a picture’s bytes, type and filename agree [W27]', async () => {
  signIn();
  const response = await site.ask('/api/generations/g1/output.png');
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(png.length),
    'content-disposition': 'inline; filename="g1.png"',
  });
  expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), png)).toBe(0);
});

test.each(['jpg', 'webp', 'html', 'svg'])(
  'a picture is not handed out under the extension .%s, which is not its own [W27]',
  async (extension) => {
    signIn();
    const response = await site.ask(`/api/generations/g1/output.${extension}`);
    expect([response.status, await response.json()]).toEqual([
      502,
      { error: 'upstream_unavailable' },
    ]);
  },
);

test('bytes that are no picture are not handed out as one [W27]', async () => {
  signIn();
  platform.on('/generations/g1/output', bytes(200, '<script>', { 'content-type': 'image/png' }));
  expect((await site.ask('/api/generations/g1/output.png')).status).toBe(502);
});

test.each([
  'output',
  'output.',
  'output.PNG',
  'output.png.html',
  'x.png',
  'output.png%00',
  '..%2fuser',
])('the file %s is 404, and no operation', async (file) => {
  signIn();
  expect((await site.ask(`/api/generations/g1/${file}`)).status).toBe(404);
  expect(operations()).toHaveLength(0);
});

test('a picture’s hostile id makes no header of its own [W27]', async () => {
  signIn();
  platform.on('*', bytes(200, png));
  const response = await site.ask('/api/generations/a%0d%0aset-cookie:x=1%22;%20b/output.png');
  expect(response.status).toBe(200);
  expect(response.headers.get('set-cookie')).toBeNull();
  expect(response.headers.get('content-disposition')).toMatch(/^inline; filename="[^\r\n]+$/);
});

test('starts a picture from JSON: 201, with safe data [W20]', async () => {
  signIn();
  const response = await site.ask(
    '/api/generations',
    postJson({ prompt: ' a fox\r\n', model: 'x' }),
  );
  expect(response.status).toBe(201);
  expect(await response.json()).toMatchObject({ id: 'g1', status: 'running', output: null });
  expect(operations().map(({ body }) => body)).toEqual(['{"prompt":"a fox"}']);
});

test.each([
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['multipart/form-data; boundary=x', 415],
  ['application/jsonp', 415],
  ['application/json-patch+json', 415],
  ['text/html, application/json', 415],
  ['', 415],
  ['application/json', 201],
  ['application/json; charset=utf-8', 201],
  ['application/json;charset=utf-8', 201],
  ['APPLICATION/JSON', 201],
])('JSON sent as %j is %i', async (type, status) => {
  signIn();
  const init = postJson({ prompt: 'a fox' }, { 'content-type': type });
  const response = await site.ask('/api/generations', init);
  expect(response.status).toBe(status);
  expect(operations()).toHaveLength(status === 201 ? 1 : 0);
});

test.each([
  ['nothing', ''],
  ['cut JSON', '{"prompt":'],
  ['two values', '{}{}'],
  ['null', 'null'],
  ['a list', '[]'],
  ['a text', '"a fox"'],
  ['no prompt', '{}'],
  ['an empty prompt', { prompt: '' }],
  ['a blank prompt', { prompt: ' \n\t ' }],
  ['an invisible prompt', { prompt: '\u200b' }],
  ['a huge prompt', { prompt: 'x'.repeat(100_000) }],
  ['a control character', { prompt: 'a\u0007' }],
  ['half a character', '{"prompt":"\\ud83e"}'],
  ['a number', { prompt: 7 }],
  ['a nested bomb', '['.repeat(50_000)],
])('JSON with %s is 422, and no operation', async (_, body) => {
  signIn();
  const response = await site.ask('/api/generations', postJson(body));
  expect([response.status, await response.json()]).toEqual([422, { error: 'invalid_prompt' }]);
  expect(operations()).toHaveLength(0);
});

test.each(['PUT', 'PATCH', 'DELETE'])(
  '%s on a list or a picture is refused, and no operation',
  async (method) => {
    signIn();
    const init = { ...postJson({ prompt: 'a fox' }), method };
    const response = await site.ask('/api/generations', init);
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    expect((await site.ask('/api/generations/g1', init)).status).toBe(405);
    expect((await site.ask('/api/generations/g1/output.png', init)).status).toBe(405);
    expect((await site.ask('/studio', init)).status).toBe(405);
    expect(operations().filter(({ method }) => method !== 'GET')).toHaveLength(0);
  },
);

test.each(['/api', '/api/', '/api/x', '/api/generations/g1/output.png/x', '/api/users'])(
  '%s is no resource: 404 as JSON, to a post too',
  async (path) => {
    for (const init of [{}, postJson({})]) {
      const response = await site.ask(path, init);
      expect([response.status, await response.json()]).toEqual([404, { error: 'not_found' }]);
    }
    expect(platform.requests).toHaveLength(0);
  },
);

test.each(['/nowhere', '/login', '/logout', '/studio/x'])(
  '%s is no page: 404, with the site around it [W05] [W30]',
  async (path) => {
    signIn();
    const response = await site.ask(path);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('There is no such page');
  },
);

test('an address with a broken escape is no page either', async () => {
  signIn();
  // Remix's router says so on the console.
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  expect((await site.ask('/%zz')).status).toBe(404);
  expect(warned.mock.calls.flat().join()).toContain('could not be decoded');
});

test('the studio’s form starts a picture, and a document goes back to the studio', async () => {
  signIn();
  const response = await site.ask('/studio', post({ prompt: 'a fox' }));
  expect([response.status, response.headers.get('location')]).toEqual([303, '/studio']);
  expect(operations().map(({ method, body }) => [method, body])).toEqual([
    ['POST', '{"prompt":"a fox"}'],
  ]);
});

test('the studio’s form answers a script with data', async () => {
  signIn();
  const response = await site.ask('/studio.data', post({ prompt: 'a fox' }));
  expect(response.status).toBe(200);
  expect(await response.text()).toMatch(/"ok":true/);
});

test('signed out, the studio’s form gets a typed refusal, and its words back [W11] [W19]', async () => {
  signOut();
  const data = await site.ask('/studio.data', post({ prompt: 'my dear words' }));
  expect(data.status).toBe(401);
  const text = await data.text();
  expect(text).toMatch(/"ok":false/);
  expect(text).toContain('"unauthorized"');
  expect(text).toContain('my dear words');
  expect(text).not.toContain('hint');

  const page = await site.ask('/studio', post({ prompt: 'my dear words' }));
  expect(page.status).toBe(401);
  expect(await page.text()).toContain('my dear words');
});

test.each([
  ['', 'Write what you want to see.'],
  [' \r\n ', 'Write what you want to see.'],
  ['x'.repeat(2_001), 'Use at most 2000 characters.'],
  ['a\u0000', 'Remove the characters that cannot be shown.'],
])(
  'a prompt the form cannot take (%#) is 422, says why, and starts nothing',
  async (prompt, words) => {
    signIn();
    const response = await site.ask('/studio', post({ prompt }));
    expect(response.status).toBe(422);
    expect(await response.text()).toContain(words);
    expect(operations().filter(({ method }) => method === 'POST')).toHaveLength(0);
  },
);

test('markup in a refused prompt comes back as words', async () => {
  signIn();
  platform.on('/generations', json(422, {}));
  const response = await site.ask(
    '/studio',
    post({ prompt: '</textarea><script>alert(1)</script>' }),
  );
  expect(response.status).toBe(422);
  const page = await response.text();
  expect(page).not.toContain('<script>alert(1)');
  expect(page).toContain('&lt;script&gt;alert(1)');
});

test.each([
  ['no form', { headers: { 'content-type': 'text/plain' }, body: 'prompt=a' }],
  [
    'a broken form',
    { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: 'zzz' },
  ],
  ['JSON', { headers: { 'content-type': 'application/json' }, body: '{"prompt":"a"}' }],
])('a post to the studio with %s is 400, and starts nothing', async (_, { headers, body }) => {
  signIn();
  const response = await site.ask('/studio', {
    method: 'POST',
    headers: { ...headers, origin: 'https://site.example' },
    body,
  });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('That request cannot be read');
  expect(operations().filter(({ method }) => method === 'POST')).toHaveLength(0);
});

test('several prompts in one form, or a file for one, start nothing', async () => {
  signIn();
  const file = new FormData();
  file.set('prompt', new File(['a fox'], 'fox.txt'));
  for (const body of [new URLSearchParams('prompt=a&prompt=b'), file]) {
    const response = await site.ask('/studio', {
      method: 'POST',
      headers: { origin: 'https://site.example' },
      body,
    });
    expect(response.status).toBe(422);
    await response.text();
  }
  expect(operations().filter(({ method }) => method === 'POST')).toHaveLength(0);
});

test('what a page was loaded for one person sends is not done for another [W09] [W13]', async () => {
  signIn();
  const send = (account: string) =>
    site.ask('/studio', {
      method: 'POST',
      headers: { origin: 'https://site.example' },
      body: new URLSearchParams({ prompt: 'a fox', account }),
    });
  const response = await send('somebody else');
  expect(response.status).toBe(409);
  expect(await response.text()).toContain('Somebody else is signed in by now.');
  expect(operations().filter(({ method }) => method === 'POST')).toHaveLength(0);
  expect((await send(ada.id)).status).toBe(303);
});

test.each(['a[100000000]=x', 'a=&'.repeat(60_000), '__intent__=x', 'a.'.repeat(20_000) + 'a=x'])(
  'a form with fields of another’s making is read no further than its own (%#)',
  async (fields) => {
    platform.on('/user', json(401, { error: 'signed out' }));
    const response = await site.ask('/studio', {
      method: 'POST',
      headers: {
        origin: 'https://site.example',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: `prompt=a+fox&${fields}`,
    });
    expect(response.status).toBe(401);
    expect((await response.text()).length).toBeLessThan(50_000);
  },
);

test('a guard’s body that is nested without end, and a redirect, are answered as failures [W10]', async () => {
  platform.on('/user', bytes(403, '['.repeat(150_000) + ']'.repeat(150_000), {}));
  expect((await site.ask('/api/generations')).status).toBe(403);
  platform.on('/user', bytes(302, '{}', { location: 'https://evil.test/' }));
  const redirected = await site.ask('/api/generations');
  expect([redirected.status, redirected.headers.get('location')]).toEqual([502, null]);
});

test('half a character in what the platform says breaks no list', async () => {
  platform.on('/user', json(200, ada));
  platform.on('/generations', json(200, { items: [{ ...done, id: '\ud800' }], next_cursor: null }));
  expect((await site.ask('/api/generations')).status).toBe(502);
});
