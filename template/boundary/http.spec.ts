/** Invalid input from attackers and broken clients: a clear error response, and no partial effect. */
import { expect, test } from '../../e2e/fixtures';
import {
  formRequest,
  httpVisitor,
  jsonRequest,
  type RequestOptions,
} from '@gatehouse/simulator/http';
import { makePicture } from '../../e2e/flows/studio/saved-picture';
import { keyed, list, orderRequest, orderForm, submit } from './order';

const badPrompts: [string, unknown][] = [
  ['an empty one', ''],
  ['a blank one', ' \t\n\u00a0 '],
  ['one too long', 'x'.repeat(2_001)],
  ['one with a null character', 'a\u0000b'],
  ['one with an escape sequence', 'a\u001b[31mb'],
  ['one with half of a surrogate pair', 'a\ud800b'],
];

const noPrompts: [string, unknown, string?][] = [
  ['no field', {}],
  ['null', { prompts: null }],
  ['a number', { prompts: [7] }],
  ['a list', { prompts: [['a fox']] }],
  ['an object', { prompts: [{ toString: 'a fox' }] }],
  ['a string for the list', { prompts: 'a fox' }],
  ['seven', { prompts: Array.from({ length: 7 }, () => 'a fox') }],
  ['a bare string', 'a fox', 'invalid_order'],
  ['a list at the top', ['a fox'], 'invalid_order'],
  ['another kind', { prompts: ['a fox'], kind: 'novel' }, 'invalid_order'],
];

for (const [name, prompt] of badPrompts) {
  test(`refuses a prompt: ${name} [W09 W33]`, async ({ platform }) => {
    const ada = httpVisitor(platform, 'ada');

    const api = await ada.post(submit(), orderRequest({ prompts: [prompt] }));
    expect([api.status, api.json()]).toEqual([422, { error: 'invalid_prompt' }]);

    const page = await ada.post('/studio', orderForm({ prompt: String(prompt) }));
    // A form is sent as UTF-8, in which a lone surrogate becomes the valid replacement character.
    const replacedByForm = name.includes('surrogate');
    expect(page.status).toBe(replacedByForm ? 303 : 422);
    expect(platform.ledger.calls({ endpoint: 'submit' })).toHaveLength(replacedByForm ? 1 : 0);
  });
}

for (const [name, body, error = 'invalid_prompt'] of noPrompts) {
  test(`refuses JSON that is not an order: ${name} [W09 W33]`, async ({ platform }) => {
    const response = await httpVisitor(platform, 'ada').post(submit(), orderRequest(body));
    expect([response.status, response.json()]).toEqual([422, { error }]);
    expect(platform.ledger.calls({ endpoint: 'submit' })).toEqual([]);
  });
}

const malformed: [string, string, RequestOptions, number][] = [
  ['truncated JSON', submit(), { ...orderRequest({}), body: '{"prompts":["a f' }, 400],
  ['an empty body', submit(), { ...orderRequest({}), body: '' }, 400],
  ['an order without a key', submit(), jsonRequest({ prompts: ['a fox'] }), 400],
  ['a form instead of JSON', submit(), keyed(formRequest({ prompt: 'a fox' })), 415],
  ['no content type', submit(), keyed({ body: '{"prompts":["a fox"]}' }), 415],
  ['JSON instead of a form', '/studio', jsonRequest({ prompt: 'a fox' }), 400],
  [
    'a multipart form without its boundary',
    '/studio',
    { headers: { 'content-type': 'multipart/form-data' }, body: 'prompt=a fox' },
    400,
  ],
  [
    'a truncated multipart form',
    '/studio',
    {
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: '--b\r\nContent-Disposition: form-data; name="prompt"\r\n\r\na f',
    },
    400,
  ],
  ['a body too large', submit(), orderRequest({ prompts: ['x'.repeat(300_000)] }), 413],
  ['a form too large', '/studio', formRequest({ prompt: 'x'.repeat(1_000_000) }), 413],
  [
    'a body too large without a Content-Length',
    submit(),
    keyed({
      headers: { 'content-type': 'application/json' },
      chunks: Array.from({ length: 10 }, () => 'x'.repeat(64_000)),
    }),
    413,
  ],
];

for (const [name, path, request, status] of malformed) {
  test(`answers ${status} to ${name} at ${path} [W09 W33]`, async ({ platform }) => {
    const ada = httpVisitor(platform, 'ada');
    const response = await ada.post(path, request);
    expect(response.status).toBe(status);
    expect(response.text).not.toMatch(/ at .*\.js|node_modules|Error:/);
    expect(platform.ledger.calls({ endpoint: 'submit' })).toEqual([]);

    expect((await ada.get('/api/user')).status, 'the site still responds').toBe(200);
  });
}

test('accepts a prompt of exactly the maximum length, with CRLF counted as one character [W13]', async ({
  platform,
}) => {
  const ada = httpVisitor(platform, 'ada');
  const prompt = `${'a'.repeat(999)}\n${'b'.repeat(1_000)}`;
  const page = await ada.post('/studio', orderForm({ prompt: prompt.replace('\n', '\r\n') }));
  expect(page.status).toBe(303);
  const [newest] = (await listOf(ada)).items;
  expect(newest?.prompt).toBe(prompt);
});

test('escapes markup in a prompt [W33]', async ({ platform }) => {
  const ada = httpVisitor(platform, 'ada');
  const prompt = '</script><script>alert(1)</script><img src=x onerror=alert(2)>{{7*7}}${7*7}';
  await makePicture(ada, prompt);
  const page = await ada.get('/studio');
  expect(page.text).toContain('&lt;/script&gt;&lt;script&gt;alert(1)');
  expect(page.text).not.toContain('<script>alert(1)');
  expect(page.text).not.toContain('<img src=x');
  expect((await listOf(ada)).items[0]?.prompt).toBe(prompt);
});

const unknownIds = [
  'nope',
  'gen_000000000000000000000000',
  '..',
  '%2e%2e',
  '..%2f..%2fuser',
  '%252e%252e%252fuser',
  'a%00b',
  'a%3fb=c',
  'a%23b',
  'a%0d%0aX-Evil:%201',
  'x'.repeat(4_000),
  "1'%20OR%20'1'='1",
  '__proto__',
];

/** Not valid percent-encoded UTF-8. */
const unreadable = ['%ff', '%'];

for (const id of [...unknownIds, ...unreadable]) {
  test(`discloses nothing for the picture id ${id.slice(0, 40)} [W13 W33]`, async ({
    platform,
  }) => {
    const ada = httpVisitor(platform, 'ada');
    for (const path of [`${list}/${id}`, `${list}/${id}/output.png`]) {
      const response = await ada.get(path);
      expect(response.status, path).toBe(unreadable.includes(id) ? 400 : 404);
      expect(Object.keys(response.headers)).not.toContain('x-evil');
      expect(response.text).not.toMatch(/internal|unauthenticated|usr_ada/);
    }
  });
}

test('responds to another person’s picture id as to an unknown one [W13 W33]', async ({
  platform,
}) => {
  const ada = httpVisitor(platform, 'ada');
  const bobby = httpVisitor(platform, 'bobby');
  platform.state.generations.setDuration(0);
  const { id } = await makePicture(ada, 'a secret');

  for (const end of ['', '/output.png']) {
    expect((await ada.get(`${list}/${id}${end}`)).status, 'its owner can read it').toBe(200);
    const foreign = await bobby.get(`${list}/${id}${end}`);
    const unknown = await bobby.get(`${list}/gen_ffffffffffffffffffffffff${end}`);
    expect(foreign.status).toBe(404);
    expect(foreign.text).toBe(unknown.text);
    expect(Object.keys(foreign.headers)).toEqual(Object.keys(unknown.headers));
  }
  expect((await bobby.get('/studio.data')).text).not.toContain('a secret');
});

test('serves a picture under the extension of its type only [W27]', async ({ platform }) => {
  const ada = httpVisitor(platform, 'ada');
  platform.state.generations.setDuration(0);
  const { id } = await makePicture(ada, 'a fox');
  const good = await ada.get(`${list}/${id}/output.png`);
  expect(good.headers['content-type']).toBe('image/png');
  expect(good.headers['content-disposition']).toContain(`${id}.png`);
  const others: [string, number][] = [
    // The bytes do not match the extension.
    ['output.jpg', 502],
    ['output.webp', 502],
    ['output.html', 404],
    ['output.', 404],
    ['output', 404],
    ['x.png', 404],
  ];
  for (const [file, status] of others) {
    const response = await ada.get(`${list}/${id}/${file}`);
    expect(response.status, file).toBe(status);
    expect(response.headers['content-type'], file).toBe('application/json');
  }
});

const wrongMethods: [string, string[]][] = [
  ['/api/user', ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']],
  ['/api/generations', ['PUT', 'PATCH', 'DELETE', 'OPTIONS']],
  ['/api/generations/gen_1', ['POST', 'PUT']],
  ['/api/generations/gen_1/output.png', ['POST', 'DELETE']],
  ['/studio', ['PUT', 'PATCH', 'DELETE', 'OPTIONS']],
  ['/account', ['POST', 'DELETE']],
  ['/', ['POST', 'PUT', 'TRACE']],
];

for (const [path, methods] of wrongMethods) {
  test(`responds with 405 to ${methods.join(', ')} at ${path} and does nothing [W09 W33]`, async ({
    platform,
  }) => {
    const ada = httpVisitor(platform, 'ada');
    for (const method of methods) {
      const response = await ada.post(path, { ...formRequest({ prompt: 'a fox' }), method });
      expect(response.status, method).toBe(405);
    }
    expect(platform.ledger.calls().filter(({ endpoint }) => endpoint !== 'user')).toEqual([]);
  });
}

test('rejects on the server what the interface prevents when signed out [W09 W19]', async ({
  platform,
}) => {
  const nobody = httpVisitor(platform, null);
  const refusals = [
    await nobody.post(submit(), orderRequest({ prompts: ['a fox'] })),
    await nobody.get(list),
    await nobody.get(`${list}/gen_1`),
    await nobody.get(`${list}/gen_1/output.png`),
  ];
  for (const refusal of refusals) {
    expect(refusal.status).toBe(401);
    expect(refusal.headers['content-type']).toBe('application/json');
    expect(refusal.json()).toEqual({
      error: 'unauthenticated',
      message: 'Sign in to use the platform.',
    });
  }
  expect((await nobody.post('/studio', formRequest({ prompt: 'a fox' }))).status).toBe(401);
  expect((await nobody.post('/studio.data', formRequest({ prompt: 'a fox' }))).status).toBe(401);
  expect(platform.ledger.calls().filter(({ endpoint }) => endpoint !== 'user')).toEqual([]);
});

async function listOf(visitor: ReturnType<typeof httpVisitor>) {
  return (await visitor.get(list)).json() as { items: { id: string; prompt: string }[] };
}
