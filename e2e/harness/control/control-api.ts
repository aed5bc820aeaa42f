/**
 * `/__platform/*` on the platform's host: everything that a `Platform` can do, as JSON over HTTP,
 * for the platform's page and for tests that run in another process. The framed site cannot drive it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

import { z } from 'zod';

import { FAULT_TABLE, faultSchema, faultScopeSchema } from '../internal-api/faults';
import { VIOLATIONS, type Ledger, type LedgerFilter } from '../internal-api/ledger';
import { servePageFile } from '../page/page-files';
import { displayName, initialOf, type PersonaBook } from '../people/personas';
import type { Platform } from '../platform';
import { sessionTag, type Sessions } from '../people/sessions';

/** Any value will do; a page of another origin cannot send it without being asked for permission. */
const CONTROL_HEADER = 'x-platform-control';

const MAX_BODY_BYTES = 2 * 1024 * 1024;
const HEARTBEAT_MS = 15_000;

export interface ControlApiParts {
  platform: Platform<unknown>;
  /** The names of all that a fault may strike. */
  faultTargets: readonly string[];
  ledger: Ledger;
  personas: PersonaBook;
  sessions: Sessions;
  siteUpstream: () => string | null;
}

export interface ControlApi {
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Passes on to the page's live feed which page of the site a frame asks for. */
  tellPage(path: string, sessionId: string | null): void;
  close(): void;
}

interface Command {
  /** Parses the JSON body; GET and DELETE get the query as strings. */
  input: z.ZodType;
  run: (input: never, parts: ControlApiParts) => unknown;
}

const persona = z.string().min(1);
const nothing = z.looseObject({});

/** Method and path of every command. What `run` returns is the answer; undefined is a 204. */
function commandsFor(faultTargets: readonly string[]): Readonly<Record<string, Command>> {
  const endpoint = z.enum(faultTargets);
  const filterOf = (query: Record<string, unknown>) => filterFrom(query, faultTargets);
  return {
    'GET /__platform/state': command(nothing, (_, parts) => stateOf(parts)),
    'POST /__platform/reset': command(nothing, (_, { platform }) => platform.reset()),
    'GET /__platform/ledger': command(nothing, (query, { ledger }) =>
      ledger.entries(filterOf(query)),
    ),
    'GET /__platform/ledger/violations': command(nothing, (query, { ledger }) =>
      ledger.violations(filterOf(query)),
    ),
    'DELETE /__platform/ledger': command(nothing, (_, { ledger }) => {
      ledger.clear();
    }),
    'GET /__platform/faults': command(nothing, (_, { platform }) => platform.faults.active()),
    'POST /__platform/faults': command(
      z.strictObject({
        endpoint,
        fault: faultSchema,
        ...faultScopeSchema.shape,
      }),
      async ({ endpoint, fault, times, persona }, { platform, personas }) => {
        if (persona !== undefined) personas.known(persona);
        await platform.faults.set(endpoint, fault, {
          ...(times === undefined ? {} : { times }),
          ...(persona === undefined ? {} : { persona }),
        });
        return platform.faults.active();
      },
    ),
    'DELETE /__platform/faults': command(
      z.looseObject({ endpoint: endpoint.optional() }),
      async ({ endpoint }, { platform }) => {
        await platform.faults.clear(endpoint);
        return platform.faults.active();
      },
    ),
    'POST /__platform/sessions': command(
      z.strictObject({ persona }),
      ({ persona }, { platform }) => ({ cookie: platform.sessions.createCookie(persona) }),
    ),
    'POST /__platform/sessions/switch': command(
      z.strictObject({ persona, return: z.string().optional() }),
      (input, { platform }) => ({
        url: platform.siteUrl + platform.sessions.switchPath(input.persona, input.return),
      }),
    ),
    'POST /__platform/sessions/revoke': command(
      z.strictObject({ persona: persona.optional() }),
      ({ persona }, { platform }) => ({ revoked: platform.sessions.revokeAll(persona) }),
    ),
    'POST /__platform/sessions/advance': command(
      z.strictObject({ ms: z.number().nonnegative() }),
      ({ ms }, { platform }) => {
        platform.sessions.advance(ms);
      },
    ),
    'POST /__platform/personas': command(
      z.strictObject({ count: z.number().int().min(1).max(10_000) }),
      ({ count }, { platform }) => platform.addPersonas(count).map(({ id }) => id),
    ),
    'POST /__platform/clock': command(
      z.strictObject({
        advance_ms: z.number().nonnegative().optional(),
        frozen: z.boolean().optional(),
      }),
      ({ advance_ms, frozen }, { platform: { clock } }) => {
        if (frozen === true) clock.freeze();
        if (frozen === false) clock.thaw();
        if (advance_ms !== undefined) clock.advance(advance_ms);
      },
    ),
    'POST /__platform/site-upstream': command(
      z.strictObject({ url: z.url({ protocol: /^https?$/ }) }),
      ({ url }, { platform }) => {
        platform.setSiteUpstream(url);
      },
    ),
  };
}

/** Makes the control API and, beside it, the page. */
export function createControlApi(parts: ControlApiParts): ControlApi {
  const commands = commandsFor(parts.faultTargets);
  const feeds = new Set<ServerResponse>();
  const broadcast = (event: string, data: unknown): void => {
    for (const feed of feeds) feed.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const unsubscribe = parts.ledger.subscribe((entry) => {
    if (feeds.size > 0) broadcast(entry === null ? 'cleared' : 'entry', entry);
  });
  const heartbeat = setInterval(() => {
    for (const feed of feeds) feed.write(':\n\n');
  }, HEARTBEAT_MS);
  heartbeat.unref();

  return {
    async serve(request, response) {
      const url = new URL(`http://platform${request.url ?? '/'}`);
      if (!url.pathname.startsWith('/__platform/')) {
        servePageFile(request, response, url.pathname, parts.platform.siteUrl);
        return;
      }
      if (!mayDrive(request, parts.platform.platformUrl)) {
        sendJson(response, 403, { error: 'Only the platform’s own page may ask this.' });
        return;
      }
      if (url.pathname === '/__platform/feed' && request.method === 'GET') {
        openFeed(response, feeds);
        return;
      }
      await runCommand(request, response, url, commands, parts);
    },
    tellPage(path, sessionId) {
      broadcast('page', { path, session: sessionId === null ? null : sessionTag(sessionId) });
    },
    close() {
      unsubscribe();
      clearInterval(heartbeat);
      for (const feed of feeds) feed.end();
    },
  };
}

async function runCommand(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  commands: ReturnType<typeof commandsFor>,
  parts: ControlApiParts,
): Promise<void> {
  const name = `${request.method ?? ''} ${url.pathname}`;
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!found) {
    sendJson(response, 404, { error: `There is no ${name}.` });
    return;
  }
  try {
    const given =
      request.method === 'POST' ? await readJson(request) : Object.fromEntries(url.searchParams);
    const input = found.input.parse(given, { error: wordsFor });
    const result = await found.run(input as never, parts);
    if (result === undefined) response.writeHead(204).end();
    else sendJson(response, 200, result);
  } catch (error) {
    sendJson(response, 400, refusalOf(error));
  }
}

/** One sentence, and the field that it is about where there is one. */
function refusalOf(error: unknown): { error: string; field?: string } {
  const issue = error instanceof z.ZodError ? error.issues[0] : undefined;
  if (!issue) return { error: error instanceof Error ? error.message : String(error) };
  const field = issue.path.at(-1)?.toString();
  const sentence = `${field ?? 'The request'} ${issue.message}.`;
  return field === undefined ? { error: sentence } : { error: sentence, field };
}

/** What follows a field's name, where its schema does not say it better. */
function wordsFor(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'unrecognized_keys') return `knows no ${issue.keys.join(', ')}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  return issue.input === undefined ? 'is missing' : 'is not valid';
}

/** Fetch metadata where a browser sends it; a header that needs a preflight for all that changes. */
function mayDrive({ method, headers }: IncomingMessage, platformUrl: string): boolean {
  if (headers.origin !== undefined && headers.origin !== platformUrl) return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  return method === 'GET' || headers[CONTROL_HEADER] !== undefined;
}

function openFeed(response: ServerResponse, feeds: Set<ServerResponse>): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(':\n\n');
  feeds.add(response);
  response.once('close', () => feeds.delete(response));
}

function stateOf({
  platform,
  faultTargets,
  personas,
  sessions,
  siteUpstream,
}: ControlApiParts): unknown {
  return {
    siteUrl: platform.siteUrl,
    internalUrl: platform.internalUrl,
    siteUpstream: siteUpstream(),
    endpoints: faultTargets,
    faultKinds: FAULT_TABLE.map((row) => ({
      ...row,
      // What the fault does when nothing else is set, which is also the list of its settings.
      defaults: faultSchema.parse({ kind: row.kind }),
    })),
    faults: platform.faults.active(),
    violationKinds: VIOLATIONS,
    personas: personas.list().map((one) => ({
      id: one.id,
      name: displayName(one),
      initial: initialOf(one),
      colour: one.colour,
      credits: personas.creditsOf(one),
      purpose: one.purpose,
      sessions: sessions.count(one.id),
    })),
  };
}

function filterFrom(query: Record<string, unknown>, faultTargets: readonly string[]): LedgerFilter {
  const { persona: who, ...rest } = z
    .object({
      kind: z.enum(['call', 'note']),
      endpoint: z.enum([...faultTargets, 'unknown']).exclude(['*', 'site']),
      persona: z.string(),
      path: z.string(),
      siteRequestId: z.string(),
    })
    .partial()
    .parse(query);
  const given = Object.entries({ ...rest, ...(who === undefined ? {} : { persona: who || null }) });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error('The body is too large.');
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString();
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    throw new Error('The body is not JSON.');
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(JSON.stringify(value));
}

function command<Input>(
  input: z.ZodType<Input>,
  run: (input: Input, parts: ControlApiParts) => unknown,
): Command {
  return { input, run };
}
