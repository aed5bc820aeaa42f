/**
 * A platform where everybody's feed is full. It responds at once and discards uploads. Its profile identifies nobody,
 * because the site limits the event streams of one person, and compares whose page an upload is from. Each workspace has
 * one running job, and `POST /change` sends a progress event to all open event streams. The simulator is unsuitable
 * here: it stores uploads, and polls for changes a few times a second.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

let changes = 0;

const responses = new Map(
  Object.entries({
    '/workspaces': {
      items: [{ id: 'w1', name: 'Ada’s own', role: 'owner', can_generate: true, credits: 23 }],
      chosen: 'w1',
    },
    '/estimate': { total: 1, each: 1, balance: 23 },
    '/generations': {
      items: Array.from({ length: 24 }, (_, at) => ({
        ...generation(`gen_${at}`),
        status: 'succeeded',
        output: { content_type: 'image/png', width: 1024, height: 1024 },
      })),
      next_cursor: 'older',
    },
  }).map(([path, value]) => [path, JSON.stringify(value)]),
);

/** The open event streams, and the workspace of each. */
const streams = new Map<ServerResponse, string>();

const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  const { pathname, searchParams } = new URL(`http://platform${request.url ?? '/'}`);
  const workspace = searchParams.get('workspace') ?? '';
  if (pathname === '/user') send(response, JSON.stringify({ credits: 23 }));
  else if (pathname === '/media') acceptUpload(request, response);
  else if (pathname === '/change') send(response, JSON.stringify({ at: sendChange() }));
  else if (pathname === '/generations/events') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(eventOf(workspace));
    streams.set(response, workspace);
    response.once('close', () => streams.delete(response));
  } else if (searchParams.get('status') === 'pending') {
    send(response, JSON.stringify({ items: [job(workspace)], next_cursor: null }));
  } else if (pathname.startsWith('/generations/')) {
    send(response, JSON.stringify(job(pathname.replace('/generations/gen_', ''))));
  } else send(response, responses.get(pathname) ?? '{}');
});
server.listen(Number(process.env['PORT']), '127.0.0.1');

/** The benchmark uploads the same file each time and passes its digest: to hash each upload would occupy a core. */
function acceptUpload(request: IncomingMessage, response: ServerResponse): void {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => (bytes += chunk.length));
  request.once('end', () => {
    send(response, JSON.stringify({ id: 'med_1', bytes, sha256: process.env['UPLOAD_SHA256'] }));
  });
}

/** @returns when sending began, in milliseconds since the epoch. */
function sendChange(): number {
  const at = Date.now();
  changes += 1;
  for (const [response, workspace] of streams) response.write(eventOf(workspace));
  return at;
}

function job(workspace: string) {
  return generation(`gen_${workspace}`);
}

function eventOf(workspace: string): string {
  return `data: ${JSON.stringify(job(workspace))}\n\n`;
}

function generation(id: string) {
  return {
    id,
    kind: 'picture',
    prompt: 'A lighthouse in a storm, with three lemons on the terrace in front of it',
    aspect_ratio: '1:1',
    status: 'running',
    progress: (changes % 100) / 100,
    created_at: '2026-01-01T12:00:00Z',
    cost: 1,
    references: [],
    output: null,
    error: null,
  };
}

function send(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(body);
}
