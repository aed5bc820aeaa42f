/**
 * `/__platform/*` on the platform's host: what the platform's page shows and does, as JSON over HTTP. The framed site
 * cannot use it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

import { z } from 'zod';

import { servePageFile } from '../page/page-files.ts';
import { sessionTag } from '../people/sessions.ts';
import { readBody } from '../read-body.ts';
import { commandsFor, type Command, type CommandParts } from './commands.ts';
import { createFeed } from './feed.ts';

/** Any value will do: a cross-origin page cannot send the header without a preflight, which is refused. */
const CONTROL_HEADER = 'x-platform-control';

const MAX_BODY_BYTES = 2 * 1024 * 1024;

export interface ControlApi {
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Sends to the page's live feed which page of the site a frame requests. */
  tellPage(path: string, sessionId: string | null): void;
  /** Announces a new mail to the page. */
  tellMail(id: number): void;
  close(): void;
}

/** Creates the control API, which also serves the page. */
export function createControlApi(parts: CommandParts): ControlApi {
  const commands = commandsFor(parts.faultTargets);
  const feed = createFeed(parts.ledger);

  return {
    async serve(request, response) {
      const url = new URL(`http://platform${request.url ?? '/'}`);
      if (!url.pathname.startsWith('/__platform/')) {
        servePageFile(request, response, url.pathname, parts.platform.siteOrigin);
        return;
      }
      if (!mayDrive(request, parts.platform.platformUrl)) {
        sendJson(response, 403, { error: 'Only the platform’s own page may ask this.' });
        return;
      }
      if (url.pathname === '/__platform/feed' && request.method === 'GET') {
        feed.open(response);
        return;
      }
      await runCommand(request, response, url, commands, parts);
    },
    tellPage(path, sessionId) {
      feed.tell('page', { path, session: sessionId === null ? null : sessionTag(sessionId) });
    },
    tellMail(id) {
      feed.tell('mail', { id });
    },
    close() {
      feed.close();
    },
  };
}

async function runCommand(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  commands: Readonly<Record<string, Command>>,
  parts: CommandParts,
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

/** One sentence, and the name of the invalid field if there is one. */
function refusalOf(error: unknown): { error: string; field?: string } {
  const issue = error instanceof z.ZodError ? error.issues[0] : undefined;
  if (!issue) return { error: error instanceof Error ? error.message : String(error) };
  const field = issue.path.at(-1)?.toString();
  const sentence = `${field ?? 'The request'} ${issue.message}.`;
  return field === undefined ? { error: sentence } : { error: sentence, field };
}

/** The rest of the sentence after a field's name, where the schema has no better message. */
function wordsFor(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'unrecognized_keys') return `has unknown keys: ${issue.keys.join(', ')}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  return issue.input === undefined ? 'is missing' : 'is not valid';
}

/**
 * Checks the fetch metadata that a browser sends; and every request that changes something needs a header
 * that forces a preflight.
 */
function mayDrive({ method, headers }: IncomingMessage, platformUrl: string): boolean {
  if (headers.origin !== undefined && headers.origin !== platformUrl) return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  return method === 'GET' || headers[CONTROL_HEADER] !== undefined;
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request, MAX_BODY_BYTES);
  if (!body) throw new Error('The body is too large.');
  try {
    return body.length === 0 ? {} : JSON.parse(body.toString());
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
