/** `/__auth/*` on the site's host: routes that the platform reserves for itself. */
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Ledger } from '../internal-api/ledger.ts';
import type { Persona, PersonaBook } from '../people/personas.ts';
import { readBody } from '../read-body.ts';
import { readReturnPath } from './return-path.ts';
import {
  clearedSessionCookies,
  sessionCookies,
  sessionIdFrom,
  sessionTag,
  type Session,
  type Sessions,
} from '../people/sessions.ts';
import { avatarSvg, messagePage, platformPageHeaders, signInPage } from './sign-in-page.ts';

const MAX_FORM_BYTES = 16 * 1024;

export interface AuthRouteParts {
  personas: PersonaBook;
  sessions: Sessions;
  ledger: Ledger;
  siteOrigin: string;
  platformOrigin: string;
}

interface Visit {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  parts: AuthRouteParts;
}

type Handler = (visit: Visit) => void | Promise<void>;

type Methods = Readonly<Partial<Record<string, Handler>>>;

/** Every route by path, then by method. GET routes that begin or end a session have no HEAD. */
const ROUTES: Readonly<Record<string, Methods>> = {
  '/__auth/login': { GET: showSignIn, HEAD: showSignIn, POST: signIn },
  '/__auth/logout': { GET: signOut },
  '/__auth/switch': { GET: switchPerson },
  '/__auth/whoami': { GET: tellPlatformWho },
};
const AVATAR: Methods = { GET: showAvatar, HEAD: showAvatar };

/**
 * Routes for navigations only: a site that fetches one would work with this simulator and with no real
 * platform.
 */
const NAVIGATED = new Set(['/__auth/login', '/__auth/logout', '/__auth/switch']);

/** Answers a request below `/__auth/`; none of them reaches the site. */
export async function handleAuthRoute(
  request: IncomingMessage,
  response: ServerResponse,
  parts: AuthRouteParts,
): Promise<void> {
  const url = new URL(parts.siteOrigin + (request.url ?? '/'));
  const visit: Visit = { request, response, url, parts };
  const avatar = /^\/__auth\/avatars\/([a-z0-9-]+)\.svg$/.exec(url.pathname)?.[1];
  const methods = avatar ? AVATAR : ROUTES[url.pathname];
  if (!methods) {
    // Typically a client-side router that fetches a page's data: no visitor gets to the sign-in page that
    // way.
    if (!isNavigation(request)) noteFetched(visit);
    sendPage(visit, 404, messagePage('Not found', 'The platform has no such page.'));
    return;
  }
  const method = request.method ?? '';
  const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (!handler) {
    response.setHeader('allow', Object.keys(methods).join(', '));
    sendPage(visit, 405, messagePage('Not like this', 'This page does not support that method.'));
    return;
  }
  if (NAVIGATED.has(url.pathname) && !isNavigation(request)) {
    noteFetched(visit);
    sendPage(visit, 403, messagePage('Not like this', 'Sign-in and sign-out must be navigations.'));
    return;
  }
  await handler(visit);
}

/** The valid session of a request, if it names exactly one. */
export function sessionOf(request: IncomingMessage, sessions: Sessions): Session | null {
  const id = sessionIdFrom(request.headers.cookie);
  return id === null ? null : sessions.find(id);
}

function noteFetched({ parts, request, url }: Visit): void {
  parts.ledger.note('auth_route_fetched', `${request.method ?? ''} ${url.pathname}`);
}

function showSignIn(visit: Visit): void {
  const { parts, request, url } = visit;
  const returnPath = judgedReturn(visit, url.searchParams.get('return'));
  sendPage(visit, 200, signInPage(fewPersonas(parts), returnPath, currentPersona(request, parts)));
}

async function signIn(visit: Visit): Promise<void> {
  const { parts, request } = visit;
  // Login CSRF: another site's form must not sign a visitor in as somebody else.
  if (!isSameOrigin(request, parts.siteOrigin)) {
    parts.ledger.note('sign_in_refused', `from ${request.headers.origin ?? 'no origin'}`);
    sendPage(
      visit,
      403,
      messagePage(
        'Not signed in',
        'The form was sent by another site. Open the sign-in page again.',
      ),
    );
    return;
  }
  const form = await readForm(request);
  const returnPath = judgedReturn(visit, form?.get('return'));
  const persona = parts.personas.find(form?.get('persona') ?? '');
  if (!persona) {
    sendPage(visit, 422, signInPage(fewPersonas(parts), returnPath, null));
    return;
  }
  beginSession(visit, persona.id, returnPath);
}

function signOut(visit: Visit): void {
  const { parts, request, response, url } = visit;
  const id = sessionIdFrom(request.headers.cookie);
  if (id !== null) parts.sessions.end(id);
  response.setHeader('set-cookie', clearedSessionCookies());
  redirect(response, judgedReturn(visit, url.searchParams.get('return')));
}

/**
 * The platform's page signs its frame in with a one-time code, because the frame has a cookie jar of its own.
 */
function switchPerson(visit: Visit): void {
  const { parts, url } = visit;
  const personaId = parts.sessions.redeemSwitchCode(url.searchParams.get('code') ?? '');
  if (personaId === null) {
    parts.ledger.note('sign_in_refused', 'a switch code was unknown, used or old');
    sendPage(
      visit,
      403,
      messagePage('Not signed in', 'This link was already used, or has expired.'),
    );
    return;
  }
  beginSession(visit, personaId, judgedReturn(visit, url.searchParams.get('return')));
}

/**
 * Responds to the platform's page with the persona who is signed in in its frame. For the site it is a 404, so that no
 * site can depend on it.
 */
function tellPlatformWho(visit: Visit): void {
  const { parts, request, response } = visit;
  if (request.headers.origin !== parts.platformOrigin) {
    sendPage(visit, 404, messagePage('Not found', 'The platform has no such page.'));
    return;
  }
  const session = sessionOf(request, parts.sessions);
  response.writeHead(200, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'access-control-allow-origin': parts.platformOrigin,
    'access-control-allow-credentials': 'true',
    vary: 'Origin',
  });
  response.end(
    JSON.stringify({
      persona: session?.personaId ?? null,
      session: session ? sessionTag(session.id) : null,
    }),
  );
}

function showAvatar(visit: Visit): void {
  const { parts, response, url } = visit;
  const persona = parts.personas.find(/([a-z0-9-]+)\.svg$/.exec(url.pathname)?.[1] ?? '');
  if (!persona) {
    sendPage(visit, 404, messagePage('Not found', 'The platform has no such picture.'));
    return;
  }
  response.writeHead(200, {
    'content-type': 'image/svg+xml',
    'cache-control': 'public, max-age=3600',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  });
  response.end(avatarSvg(persona));
}

function beginSession({ parts, request, response }: Visit, personaId: string, path: string): void {
  const old = sessionIdFrom(request.headers.cookie);
  if (old !== null) parts.sessions.end(old);
  response.setHeader('set-cookie', sessionCookies(parts.sessions.create(personaId)));
  redirect(response, path);
}

function judgedReturn({ parts }: Visit, value: string | null | undefined): string {
  const judged = readReturnPath(value, parts.siteOrigin);
  if (!judged.ok) {
    parts.ledger.note('return_path_refused', `${judged.reason}: ${JSON.stringify(value)}`);
  }
  return judged.path;
}

function isSameOrigin({ headers }: IncomingMessage, siteOrigin: string): boolean {
  const fetchSite = headers['sec-fetch-site'];
  if (fetchSite !== undefined && fetchSite !== 'same-origin') return false;
  return headers.origin === siteOrigin;
}

/**
 * Decided by the fetch metadata that browsers and Node's fetch send. A prefetch does not count: it is a speculative
 * request, without a click.
 */
function isNavigation({ headers }: IncomingMessage): boolean {
  const mode = headers['sec-fetch-mode'];
  return (mode === undefined || mode === 'navigate') && headers['sec-purpose'] === undefined;
}

function currentPersona(
  request: IncomingMessage,
  { personas, sessions }: AuthRouteParts,
): Persona | null {
  const session = sessionOf(request, sessions);
  return session ? (personas.find(session.personaId) ?? null) : null;
}

/** Hundreds of synthetic personas would bury the few that a person wants to choose from. */
function fewPersonas({ personas }: AuthRouteParts): Persona[] {
  return personas.list().slice(0, 12);
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams | null> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? '')) {
    return null;
  }
  const body = await readBody(request, MAX_FORM_BYTES);
  return body && new URLSearchParams(body.toString('latin1'));
}

function redirect(response: ServerResponse, path: string): void {
  response.writeHead(303, { location: path, 'cache-control': 'no-store', 'content-length': 0 });
  response.end();
}

function sendPage({ response, parts }: Visit, status: number, html: string): void {
  response.writeHead(status, platformPageHeaders(parts.platformOrigin));
  response.end(html);
}
