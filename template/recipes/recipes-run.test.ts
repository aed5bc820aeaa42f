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
