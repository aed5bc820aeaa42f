/** The tracker's API, with issues in memory. */
import type { ServerResponse } from 'node:http';
import { startUpstreamDouble, type UpstreamRequest } from '@gatehouse/mcp/testing/upstream-double';

export const trackerKey = 'tracker-key';

/** An image of one red pixel. */
export const screenshot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
);

interface Issue {
  readonly id: number;
  readonly title: string;
  state: 'open' | 'closed';
  readonly labels: readonly string[];
}

const reason = (text: string) => ({ errors: { base: [text] } });

/** @returns The double with its URL. Lists are sorted newest first. */
export async function startTrackerApi() {
  const double = await startUpstreamDouble();
  const issues: Issue[] = Array.from({ length: 120 }, (_, index) => ({
    id: 120 - index,
    title: `Issue ${120 - index}`,
    state: index % 10 === 9 ? 'closed' : 'open',
    labels: index % 2 === 0 ? ['bug'] : ['bug', 'ui'],
  }));
  let requests = 0;

  function respond({ method, url, body, headers }: UpstreamRequest, response: ServerResponse) {
    const { pathname, searchParams: query } = new URL(url, double.url);
    const json = (value: unknown, status = 200, more = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...more })
        .end(JSON.stringify(value));
    if (headers['x-api-key'] !== trackerKey) return json({}, 401);
    const [, room = '', id = '', part = ''] = pathname.split('/');
    const found = issues.find((issue) => String(issue.id) === id);
    switch (`${method} ${id === '' ? room : `${room}/one`}${part && `/${part}`}`) {
      case 'GET issues': {
        const [page, size] = [Number(query.get('page')), Number(query.get('per_page'))];
        const labels = query.getAll('label');
        const found = issues.filter((issue) => labels.every((l) => issue.labels.includes(l)));
        const shown = found.slice((page - 1) * size, page * size);
        return json(shown, 200, { 'x-total-count': found.length });
      }
      case 'GET issues.csv': {
        if (headers.accept !== 'text/csv') return json({}, 406);
        const rows = issues.filter(({ state }) => state === query.get('state'));
        const text = ['id,title', ...rows.map((issue) => `${issue.id},${issue.title}`)].join('\n');
        return response.writeHead(200, { 'content-type': 'text/csv' }).end(text);
      }
      case 'POST issues': {
        const { title } = JSON.parse(body) as { title: string };
        if (issues.some((issue) => issue.title === title)) {
          return json(reason('The title is taken.'), 422);
        }
        const made: Issue = { id: issues.length + 1, title, state: 'open', labels: [] };
        issues.unshift(made);
        return json(made, 201);
      }
      case 'POST reports':
        requests = 0;
        return json({ id: 'r1', percent: 0 }, 202);
      case 'GET reports/one': {
        const open = issues.filter(({ state }) => state === 'open').length;
        return json({ id, percent: 50, ...((requests += 1) > 1 && { open }) });
      }
    }
    if (!found) return json({}, 404);
    switch (`${method} ${part}`) {
      case 'GET ':
        return json(found);
      case 'PATCH ':
        if (found.state === 'closed') return json(reason('It is closed already.'), 422);
        found.state = 'closed';
        return json(found);
      case 'POST comments':
        return json({ author: 'zoë', ...(JSON.parse(body) as object) }, 201);
      case 'GET comments':
        return json([{ author: 'zoë', text: 'Seen it.' }]);
      case 'GET screenshot':
        return response.writeHead(200, { 'content-type': 'image/png' }).end(screenshot);
      case 'POST files': {
        const [, name, content = ''] =
          /filename="([^"]+)"\r\nContent-Type: text\/plain\r\n\r\n(.*)\r\n--/s.exec(body) ?? [];
        return json({ name, bytes: Buffer.byteLength(content) }, 201);
      }
    }
    return json({}, 405);
  }
  double.reply((response, request) => void respond(request, response));
  return double;
}
