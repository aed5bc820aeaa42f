/**
 * The page on which a user enters a secret (M30). Its unguessable URL authorizes access, expires within minutes,
 * accepts one secret, and is sent to the user's client only.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GivenSecret } from '../../core/context/tool-context.ts';
import { ToolError } from '../../core/result/errors.ts';
import { isLongerThan, longestDecomposition } from '../../core/result/text-length.ts';
import { readBytes } from '../gate/limited-body.ts';
import { isOwnOrigin } from '../listening/address.ts';
import { contentSecurityPolicy, formPage, gonePage, storedPage } from './secret-page-document.ts';
import type {
  SecretPage,
  SecretPages,
  SecretRequest,
} from '../../adapters/questions/secret-pages.ts';

export interface SecretPagesOptions {
  readonly title: string;
  /** The origin of the page's URL, before `/connect/<key>`. Called for each page. */
  origin(): string | Promise<string>;
  readonly lifetimeMs?: number;
  /** Maximum number of open pages. Beyond it, `open` throws a ToolError. */
  readonly maxPages?: number;
  onEmpty?(): void;
}

export interface HostedSecretPages extends SecretPages {
  /** Handles any request for a path below `/connect/`. An unknown, used or expired key is a 404. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  close(): void;
}

export const secretPagePath = '/connect/';

interface OpenPage extends SecretRequest {
  readonly title: string;
  /** The origin of the page's URL. A proxy may have rewritten the Host header. */
  origin?: string;
  ended: boolean;
  end(given?: GivenSecret): void;
}

const formType = /^application\/x-www-form-urlencoded\b/i;

const maxCharacters = 8_192;
/** Of a decomposed character in a form: four bytes for each of its code points, each byte as `%xx`. */
const maxBytesOfCharacter = longestDecomposition * 4 * '%xx'.length;
/** Fits the longest value, and the name of its field: no character of Unicode is that long in fact. */
const maxBodyBytes = maxCharacters * maxBytesOfCharacter;

export function createSecretPages(options: SecretPagesOptions): HostedSecretPages {
  const { title, lifetimeMs = 5 * 60_000, maxPages = 100 } = options;
  /** By the key of its URL. */
  const pages = new Map<string, OpenPage>();
  /** By id, until a while after its secret was entered. */
  const asked = new Map<string, SecretPage>();

  return {
    find: (id) => asked.get(id),

    async open(request: SecretRequest): Promise<SecretPage> {
      if (pages.size >= maxPages) {
        throw new ToolError('Too many secrets are asked for at the moment. Try again later.');
      }
      const id = randomUUID();
      const key = randomBytes(32).toString('base64url');
      const forget = () => asked.delete(id);
      let settle!: (given: GivenSecret | undefined) => void;
      const done = new Promise<GivenSecret | undefined>((resolve) => (settle = resolve));
      const page: OpenPage = {
        ...request,
        title,
        ended: false,
        end(given) {
          if (page.ended) return;
          page.ended = true;
          clearTimeout(expiry);
          pages.delete(key);
          if (given) setTimeout(forget, lifetimeMs).unref();
          else forget();
          settle(given);
          if (pages.size === 0) options.onEmpty?.();
        },
      };
      const close = () => {
        page.end();
      };
      const expiry = setTimeout(close, lifetimeMs).unref();
      pages.set(key, page);
      try {
        page.origin = await options.origin();
      } catch (error) {
        close();
        throw error;
      }
      const opened = { id, url: `${page.origin}${secretPagePath}${key}`, done, close };
      if (!page.ended) asked.set(id, opened);
      return opened;
    },

    async handle(request, response) {
      const [path = ''] = (request.url ?? '').split('?', 1);
      const page = pages.get(path.slice(secretPagePath.length));
      if (!path.startsWith(secretPagePath) || !page) {
        sendHtml(response, 404, gonePage(title));
        return;
      }
      if (request.method === 'GET' || request.method === 'HEAD') {
        sendHtml(response, 200, formPage(page));
      } else if (request.method !== 'POST') {
        response.setHeader('allow', 'GET, HEAD, POST');
        sendHtml(response, 405, formPage(page));
      } else if (!isOwnForm(request, page)) {
        sendHtml(response, 403, formPage(page, 'The form was not sent from this page.'));
      } else {
        await submit(request, response, page);
      }
    },

    close() {
      for (const page of [...pages.values()]) page.end();
    },
  };
}

async function submit(
  request: IncomingMessage,
  response: ServerResponse,
  page: OpenPage,
): Promise<void> {
  const isForm = formType.test(request.headers['content-type'] ?? '');
  const body = isForm ? await readBytes(request, maxBodyBytes) : Buffer.alloc(0);
  const secret = new URLSearchParams(body?.toString()).get('secret')?.trim() ?? '';
  if (page.ended) {
    sendHtml(response, 404, gonePage(page.title));
    return;
  }
  const problem = problemOf(body === undefined ? undefined : secret);
  if (problem !== undefined) {
    sendHtml(response, 400, formPage(page, problem));
    return;
  }
  let given: GivenSecret;
  try {
    given = page.store(secret);
  } catch (error) {
    const reason = error instanceof ToolError ? error.message : 'This value cannot be used.';
    sendHtml(response, 400, formPage(page, reason));
    return;
  }
  page.end(given);
  sendHtml(response, 200, storedPage(page.title));
}

/** @param secret Undefined if the form was too large to be read. */
function problemOf(secret: string | undefined): string | undefined {
  if (secret === undefined || isLongerThan(secret, maxCharacters)) {
    return `Enter a value of at most ${maxCharacters} characters.`;
  }
  // Decoding replaces what is not UTF-8.
  if (secret.includes('\ufffd')) return 'Enter the value again: it did not arrive as UTF-8.';
  return secret === '' || /\p{Cc}/u.test(secret) ? 'Enter a value of one line.' : undefined;
}

/** Compares the Origin that browsers send. Defence in depth: another site's page does not know the key. */
function isOwnForm({ headers }: IncomingMessage, page: OpenPage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  const { origin, host } = headers;
  if (origin === undefined || origin === page.origin) return true;
  return isOwnOrigin(origin, host);
}

function sendHtml(response: ServerResponse, status: number, html: string): void {
  const body = Buffer.from(html);
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
    'content-security-policy': contentSecurityPolicy,
    // Not `no-referrer`, with which a browser sends the form's Origin as `null`.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'x-robots-tag': 'noindex',
  });
  response.end(body);
}
