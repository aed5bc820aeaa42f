/** Runs the recipes' loaders and actions against a double of the platform, signed out and signed in. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { toSafeProfile } from '@gatehouse/platform';
import feature from '~/platform/feature.server';
import { files, root } from './site-recipes';

interface Call {
  method: string | undefined;
  path: string | undefined;
}

interface Route {
  loader?: (args: RouteArguments) => unknown;
  action?: (args: RouteArguments) => unknown;
}

interface RouteArguments {
  request: Request;
  params: Record<string, string>;
  context: object;
}

const calls: Call[] = [];
let signedIn = false;

const profile = { id: 'usr_ada', name: 'Ada' };
const account = toSafeProfile(profile).key;
const unauthorized = { error: 'not_signed_in' };
const picture = {
  id: 'gen_1',
  kind: 'picture',
  aspect_ratio: '1:1',
  cost: 1,
  references: [],
  prompt: 'a lighthouse',
  status: 'succeeded',
  progress: 1,
  created_at: '2026-11-21T08:00:00Z',
  output: { content_type: 'image/png', width: 512, height: 512 },
};

const bookmark = { id: 'bm_1', title: 'Lighthouses', created_at: picture.created_at };

/** The shortest prefix that is recognized as a PNG. */
const pngFile = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489',
  'hex',
);

const sha256 = createHash('sha256').update(pngFile).digest('hex');
const media = { id: 'med_1', bytes: pngFile.length, sha256 };

/** A form as a browser submits it without JavaScript. */
function uploadForm(content: BlobPart, chosenBy = account): RequestInit {
  const body = new FormData();
  body.set('account', chosenBy);
  body.set('file', new File([content], 'a.png'));
  return { method: 'POST', body };
}

/** The part of the platform's internal API that the recipes use, without any authentication of its callers. */
const platform = createServer((request, response) => {
  calls.push({ method: request.method, path: request.url });
  const respond = (status: number, value: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };
  request.resume().on('end', () => {
    if (request.url === '/user') {
      if (signedIn) respond(200, profile);
      else respond(401, unauthorized);
    } else if (request.url === '/bookmarks' && request.method === 'POST')
      respond(201, { ...bookmark, id: 'bm_2' });
    else if (request.url === '/bookmarks') respond(200, { items: [bookmark] });
    else if (request.url === '/media') respond(201, media);
    else if (request.url === '/workspaces') respond(200, { items: [], chosen: 'wsp_1' });
    else if (request.url?.startsWith('/credits?')) {
      respond(200, { balance: 7, days: [], entries: [] });
    } else if (request.url?.endsWith('/output')) {
      response.writeHead(200, { 'content-type': 'image/png' }).end(pngFile);
    } else if (request.url === '/generations' && request.method === 'POST')
      respond(201, { items: [{ ...picture, id: 'gen_2', status: 'queued' }] });
    else if (request.url?.startsWith('/generations?')) respond(200, { items: [picture] });
    else respond(200, picture);
  });
});

let folder: string;
let settingBefore: string | undefined;

beforeAll(async () => {
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve));
  settingBefore = process.env['PLATFORM_INTERNAL_URL'];
  process.env['PLATFORM_INTERNAL_URL'] =
    `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;

  // Inside the repository, so that imports resolve as they would in `app/routes/`.
  const cache = path.join(root, '.cache');
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(path.join(cache, 'recipes-'));
  for (const { title = '', code } of files) {
    await writeFile(path.join(folder, path.basename(title)), code);
  }
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  if (settingBefore === undefined) delete process.env['PLATFORM_INTERNAL_URL'];
  else process.env['PLATFORM_INTERNAL_URL'] = settingBefore;
  await new Promise((resolve) => {
    platform.close(resolve);
    platform.closeAllConnections();
  });
});

beforeEach(() => {
  calls.length = 0;
  signedIn = false;
});

const json = { 'content-type': 'application/json' };
const key = { 'idempotency-key': 'a-key-of-a-test' };

const operations = [
  { file: 'bookmarks.tsx', address: '/bookmarks', kind: 'document' },
  { file: 'shelf.tsx', address: '/shelf', kind: 'document' },
  { file: 'export.tsx', address: '/export', kind: 'document' },
  { file: 'count.tsx', address: '/count', kind: 'document' },
  {
    file: 'save.tsx',
    address: '/save',
    kind: 'document',
    init: {
      method: 'POST',
      body: new URLSearchParams({ title: 'Foxes', account, key: key['idempotency-key'] }),
    },
  },
  { file: 'api.latest.ts', address: '/api/latest', kind: 'resource' },
  {
    file: 'api.bookmark.ts',
    address: `/api/bookmark?account=${account}`,
    kind: 'resource',
    init: { method: 'POST', body: '{"title":"Foxes"}', headers: { ...json, ...key } },
  },
  {
    file: 'api.order.ts',
    address: `/api/order?account=${account}`,
    kind: 'resource',
    init: { method: 'POST', body: '{"prompts":["a fox"]}', headers: { ...json, ...key } },
  },
  { file: 'orders.tsx', address: '/orders', kind: 'document' },
  {
    file: 'api.orders.item.ts',
    address: `/api/orders/gen_1?account=${account}`,
    kind: 'resource',
    init: { method: 'POST', body: '{"change":"restore"}', headers: json },
  },
  { file: 'api.album.ts', address: '/api/album.zip', kind: 'resource' },
  { file: 'order.tsx', address: '/order', kind: 'document' },
  { file: 'spending.tsx', address: '/spending', kind: 'document' },
  { file: 'api.count.ts', address: '/api/count', kind: 'resource' },
  { file: 'api.export.ts', address: '/api/export.json', kind: 'resource' },
  {
    file: 'api.upload.ts',
    address: `/api/upload?account=${account}`,
    kind: 'resource',
    init: { method: 'POST', body: pngFile },
  },
  { file: 'upload.tsx', address: '/upload', kind: 'document' },
] as const;

type Operation = (typeof operations)[number];

/** Runs the route's loader or action, and returns its result or a thrown response. */
async function run(
  operation: Operation,
  init?: RequestInit,
  address: string = operation.address,
): Promise<unknown> {
  const route = (await import(/* @vite-ignore */ path.join(folder, operation.file))) as Route;
  const request = new Request(
    `https://site.example${address}`,
    init ?? ('init' in operation ? operation.init : {}),
  );
  const { loader, action } = route;
  const handler = request.method === 'GET' ? loader : action;
  if (!handler) throw new Error(`${operation.file} does not handle ${request.method}.`);
  const context = { kind: operation.kind, returnPath: operation.address };
  try {
    return await handler({ request, params: { id: 'gen_1' }, context });
  } catch (thrown) {
    if (thrown instanceof Response) return thrown;
    // As the server does it for the platform.
    const response = feature.responseFor(thrown, context);
    if (response) return response;
    throw thrown;
  }
}

const find = (file: string): Operation => {
  const operation = operations.find((candidate) => candidate.file === file);
  if (!operation) throw new Error(`No operation for ${file}.`);
  return operation;
};

/** Recipes that consist of more than a route. `built-recipes.test.ts` runs them on a built site. */
const elsewhere = [
  'accounts/account-files.md',
  'accounts/account-page.md',
  'accounts/account-request.md',
  'accounts/account-rows.md',
  'accounts/between-members.md',
  'accounts/mail.md',
  'accounts/member-files.md',
  'accounts/member-picture.md',
  'accounts/published-rows.md',
  'accounts/reminders.md',
  'accounts/roles.md',
  'accounts/webhook-once.md',
  'both.md',
  'cookie.md',
  'external-service.md',
  'platform/flow.md',
  'platform/platform-operation.md',
  'platform/streaming-page.md',
  'public-page.md',
  'public-route.md',
  'search-engines.md',
  'studio/keep-clip.md',
  'webhook.md',
];

const handlesRequests = /^export (?:async function|function|const) (?:loader|action)\b/m;

test('each recipe file with a loader or an action is run', () => {
  expect(operations.map(({ file }) => `app/routes/${file}`).sort()).toEqual(
    files
      .filter(({ recipe, code }) => !elsewhere.includes(recipe) && handlesRequests.test(code))
      .map(({ title }) => title)
      .sort(),
  );
});

test.each(operations)(
  'signed out, $file calls /user and nothing else [W09, W19]',
  async (operation) => {
    const response = await run(operation);
    expect(calls).toEqual([{ method: 'GET', path: '/user' }]);

    if (operation.kind === 'resource') {
      expect(response).toMatchObject({ status: 401 });
      expect(await (response as Response).json()).toEqual(unauthorized);
    } else if (operation.file === 'save.tsx') {
      expect(response).toMatchObject({
        data: { code: 'unauthorized' },
        init: { status: 401 },
      });
    } else if (operation.file === 'shelf.tsx') {
      expect(response).toEqual({ items: [] });
    } else if (operation.file === 'order.tsx') {
      expect(response).toEqual({ items: [], chosen: '' });
    } else if (operation.file === 'upload.tsx') {
      expect(response).toEqual({ account: null });
    } else {
      expect((response as Response).headers.get('location')).toBe(
        `/__auth/login?return=${encodeURIComponent(operation.address)}`,
      );
    }
  },
);

test.each(operations)(
  'signed in, $file calls /user before anything else [W09]',
  async (operation) => {
    signedIn = true;
    const response = await run(operation);
    expect(calls[0]).toEqual({ method: 'GET', path: '/user' });
    expect(calls.filter((call) => call.path === '/user')).toHaveLength(1);
    if (!['export.tsx', 'count.tsx', 'upload.tsx'].includes(operation.file))
      expect(calls.length).toBeGreaterThan(1);
    if (!(response instanceof Response)) return;
    expect(response.status).toBeLessThan(400);
    // A streamed body calls the platform while it is read.
    await response.arrayBuffer();
  },
);

test('the page loads the bookmarks, and the action redirects to it', async () => {
  signedIn = true;
  expect(await run(find('bookmarks.tsx'))).toMatchObject({ items: [{ id: 'bm_1' }] });
  const result = await run(find('save.tsx'));
  expect((result as Response).headers.get('location')).toBe('/bookmarks');
});

test('a form with a malformed key is refused with the site’s message', async () => {
  signedIn = true;
  const body = new URLSearchParams({ title: 'Foxes', account, key: 'short' });
  expect(await run(find('save.tsx'), { method: 'POST', body })).toMatchObject({
    data: { code: 'idempotency_key_required' },
    init: { status: 400 },
  });
});

test('/api/count counts the bookmarks', async () => {
  signedIn = true;
  const counted = (await run(find('api.count.ts'))) as Response;
  expect(await counted.json()).toEqual({ count: 1 });
});

test('a request from one user’s page is refused for another [W13]', async () => {
  signedIn = true;
  for (const sent of [{ account: 'somebody else' }, { account: '' }, {}]) {
    const body = new URLSearchParams({ title: 'Foxes', ...sent });
    expect(await run(find('save.tsx'), { method: 'POST', body })).toMatchObject({
      data: { code: 'account_changed' },
      init: { status: 409 },
    });
  }
  for (const file of ['api.bookmark.ts', 'api.order.ts', 'api.orders.item.ts']) {
    const { address, ...operation } = find(file);
    const [path = ''] = address.split('?');
    for (const query of ['?account=somebody-else', '?account=', '']) {
      const init = 'init' in operation ? operation.init : {};
      const response = (await run(find(file), init, path + query)) as Response;
      expect([response.status, await response.json()]).toEqual([409, { error: 'account_changed' }]);
    }
  }
  expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
});

test('the resource routes return a bookmark, and add one', async () => {
  signedIn = true;
  const latest = (await run(find('api.latest.ts'))) as Response;
  expect(await latest.json()).toEqual({
    id: 'bm_1',
    title: 'Lighthouses',
    createdAt: picture.created_at,
  });

  const added = (await run(find('api.bookmark.ts'))) as Response;
  expect(added.status).toBe(201);
  expect(await added.json()).toMatchObject({ id: 'bm_2' });
});

test('the download’s type, extension and filename agree with its bytes [W27]', async () => {
  signedIn = true;
  const file = (await run(find('api.export.ts'))) as Response;
  expect(file.headers.get('content-type')).toBe('application/json');
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="bookmarks.json"');
  expect(await file.json()).toMatchObject([{ id: 'bm_1' }]);
});

test('the archive contains the bytes of each picture', async () => {
  signedIn = true;
  const file = (await run(find('api.album.ts'))) as Response;
  expect(file.headers.get('content-type')).toBe('application/zip');
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="album.zip"');
  const bytes = Buffer.from(await file.arrayBuffer());
  expect([bytes.subarray(0, 2).toString(), bytes.includes(pngFile)]).toEqual(['PK', true]);
});

test('an upload is stored, with JavaScript and without [W20]', async () => {
  signedIn = true;
  const response = (await run(find('api.upload.ts'))) as Response;
  expect([response.status, await response.json()]).toEqual([
    201,
    expect.objectContaining({ id: 'med_1', bytes: pngFile.length, sha256 }),
  ]);
  expect(await run(find('upload.tsx'), uploadForm(pngFile))).toMatchObject({
    data: { message: 'Uploaded.' },
  });
  expect(calls.filter(({ path }) => path === '/media')).toHaveLength(2);
});

test('a file that a different user chose is refused [W13]', async () => {
  signedIn = true;
  for (const query of ['?account=somebody-else', '?account=', '']) {
    const init = { method: 'POST', body: pngFile };
    const response = (await run(find('api.upload.ts'), init, `/api/upload${query}`)) as Response;
    expect([response.status, await response.json()]).toEqual([409, { error: 'account_changed' }]);
  }
  expect(await run(find('upload.tsx'), uploadForm(pngFile, 'somebody else'))).toMatchObject({
    init: { status: 409 },
  });
  expect(calls.filter(({ path }) => path !== '/user')).toEqual([]);
});

test('a form without a file, or with one of another type, is refused with the site’s message', async () => {
  signedIn = true;
  for (const [content, status] of [
    ['', 415],
    ['<svg/>', 415],
  ] as const) {
    const response = await run(find('upload.tsx'), uploadForm(content));
    expect(response).toMatchObject({
      init: { status },
      data: {
        message: 'The platform does not accept this type of file. Accepted: PNG, JPG, WEBP, MP4.',
      },
    });
  }
  expect(calls.filter(({ path }) => path === '/media')).toHaveLength(0);
});

test('signed out, a form with a file is refused before it is read [W09 W19]', async () => {
  let taken = 0;
  const body = new ReadableStream({ pull: () => void (taken += 1) }, { highWaterMark: 0 });
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const init: RequestInit = { method: 'POST', body, headers };
  const response = await run(find('upload.tsx'), Object.assign(init, { duplex: 'half' }));
  expect(response).toMatchObject({ init: { status: 401 } });
  expect(taken).toBe(0);
});

test('an unsupported method is refused with 405 and Allow', async () => {
  for (const file of ['api.latest.ts', 'api.export.ts', 'api.album.ts', 'api.count.ts']) {
    const posted = (await run(find(file), { method: 'POST' })) as Response;
    expect([posted.status, posted.headers.get('allow')], file).toEqual([405, 'GET, HEAD']);
  }
  for (const file of ['api.bookmark.ts', 'api.orders.item.ts', 'api.upload.ts']) {
    const read = (await run(find(file), {})) as Response;
    expect([read.status, read.headers.get('allow')], file).toEqual([405, 'POST']);
  }
  expect(calls).toEqual([]);
});

test('invalid input is refused without calling an operation', async () => {
  signedIn = true;
  const title = await run(find('save.tsx'), {
    method: 'POST',
    body: new URLSearchParams({ title: ' ' }),
  });
  expect(title).toMatchObject({ data: { code: null }, init: { status: 422 } });
  const change = await run(find('api.orders.item.ts'), {
    method: 'POST',
    body: '{"change":"sell"}',
    headers: json,
  });
  expect(change).toMatchObject({ status: 422 });
  const added = await run(find('api.bookmark.ts'), {
    method: 'POST',
    body: '{"title":1}',
    headers: { ...json, ...key },
  });
  expect(added).toMatchObject({ status: 422 });
  expect(calls.filter((call) => call.path !== '/user')).toEqual([]);
});
