/**
 * The API of an issue tracker, for the recipes: page numbers, cursors, CSV, uploads, error reasons, expiring
 * tokens.
 */
import type { ServerResponse } from 'node:http';
import { startUpstreamDouble, type UpstreamRequest } from '../../src/testing/upstream-double.ts';

export const trackerSecret = 'tracker-secret';

/** An image of one red pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
);

const issues = Array.from({ length: 130 }, (_, index) => ({
  id: 130 - index,
  title: `Issue ${130 - index}`,
  labels: index % 2 === 0 ? ['bug'] : ['bug', 'ui'],
}));
const comments = Array.from({ length: 7 }, (_, index) => ({
  author: 'zoë',
  text: `Remark ${index}\n# no heading`,
}));
const commentsOfAPage = 3;

type Respond = (response: ServerResponse, request: UpstreamRequest, query: URLSearchParams) => void;

const json = (response: ServerResponse, value: unknown, status = 200, headers = {}) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
};

const routes: Readonly<Record<string, Respond>> = {
  'GET /issues'(response, _, query) {
    const [page, size] = [Number(query.get('page')), Number(query.get('per_page'))];
    const labels = query.getAll('label');
    const found = issues.filter((issue) => labels.every((label) => issue.labels.includes(label)));
    if (query.get('filter[state]') !== 'open') found.length = 0;
    const shown = found.slice((page - 1) * size, page * size);
    json(response, shown, 200, { 'x-total-count': found.length });
  },
  'GET /issues/7/comments'(response, { url }, query) {
    const from = Number(query.get('cursor') ?? 0);
    const next = from + commentsOfAPage;
    const link = `<https://elsewhere.test${url.split('?')[0] ?? ''}?cursor=${next}>; rel="next"`;
    const shown = comments.slice(from, next);
    json(response, shown, 200, next < comments.length ? { link } : {});
  },
  'GET /issues/export'(response, { headers }, query) {
    if (headers.accept !== 'text/csv') {
      json(response, {}, 406);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/csv; charset=iso-8859-1' });
    response.end(Buffer.from(`id,state\n7,${query.get('state') ?? ''}\n8,Zoë\n`, 'latin1'));
  },
  'POST /issues'(response, { body }) {
    const { title } = JSON.parse(body) as { title: string };
    if (title === 'Issue 7') json(response, { errors: { title: ['is *taken*'] } }, 422);
    else json(response, { id: 131 }, 201);
  },
  'POST /issues/7/files'(response, { body }) {
    const [, name, content = ''] =
      /filename="([^"]+)"\r\nContent-Type: text\/plain\r\n\r\n(.*)\r\n--/s.exec(body) ?? [];
    json(response, { name, bytes: Buffer.byteLength(content) }, 201);
  },
  'GET /issues/7'(response) {
    json(response, { id: 7, title: 'Issue 7' });
  },
  'GET /issues/7/screenshot'(response) {
    response.writeHead(200, { 'content-type': 'image/png' }).end(png);
  },
  'GET /issues/8/screenshot'(response) {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>No picture');
  },
};

/** @returns The double, and functions that make it fail. */
export async function startTracker() {
  const double = await startUpstreamDouble();
  let tokens = 0;
  let busy = 0;
  double.reply((response, request) => {
    const { pathname, searchParams } = new URL(request.url, double.url);
    const route = `${request.method} ${pathname}`;
    if (route === 'POST /oauth/token') {
      const form = new URLSearchParams(request.body);
      const isKnown = form.get('client_secret') === trackerSecret;
      if (!isKnown) {
        json(response, { error: 'invalid_client' }, 401);
        return;
      }
      json(response, { access_token: `token-${(tokens += 1)}`, expires_in: 3_600 });
      return;
    }
    if (request.headers['x-access-token'] !== `token-${tokens}`) {
      json(response, {}, 401);
      return;
    }
    if (busy-- > 0) {
      json(response, {}, 429, { 'retry-after': '0' });
      return;
    }
    const respond = routes[route];
    if (!respond) {
      json(response, {}, 404);
      return;
    }
    respond(response, request, searchParams);
  });
  return {
    ...double,
    /** Rejects the next requests with 429. */
    refuse(count: number) {
      busy = count;
    },
    /** Revokes the issued token. */
    revoke() {
      tokens += 1;
    },
  };
}
