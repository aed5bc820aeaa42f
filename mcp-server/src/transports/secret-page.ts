/**
 * The page on which a person gives a secret (M30). Its address is the key to it: unguessable, good for one
 * secret and for minutes, and told to the person's client alone.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ToolError } from '../core/errors.ts';
import { readText } from './gate/body.ts';
import type { SecretPage, SecretPages, SecretRequest } from '../adapters/secret-pages.ts';

export interface SecretPagesOptions {
  /** Whose page it is, as people call it. */
  readonly title: string;
  /** The address before `/connect/<key>`, asked for each page. */
  origin(): string | Promise<string>;
  /** How long a page stays, in milliseconds. */
  readonly lifetimeMs?: number;
  /** How many pages may be open. Another is refused. */
  readonly maxPages?: number;
  /** The last page was taken away. */
  onEmpty?(): void;
}

export interface HostedSecretPages extends SecretPages {
  /** Answers any request for a path below `/connect/`. A key that is wrong, used or old is 404. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Takes all pages away. */
  close(): void;
}

/** Where {@link HostedSecretPages.handle} belongs. */
export const secretPagePath = '/connect/';

interface OpenPage extends SecretRequest {
  readonly title: string;
  /** Of the address that was given out. A proxy may have led to it under another Host. */
  origin?: string;
  ended: boolean;
  end(outcome: 'stored' | 'closed'): void;
}

const formType = /^application\/x-www-form-urlencoded\b/i;

/** Room for the longest value with every character percent-encoded. */
const maxBodyBytes = 80 * 1024;

export function createSecretPages(options: SecretPagesOptions): HostedSecretPages {
  const { title, lifetimeMs = 5 * 60_000, maxPages = 100 } = options;
  const pages = new Map<string, OpenPage>();

  return {
    async open(request: SecretRequest): Promise<SecretPage> {
      if (pages.size >= maxPages) throw new Error('Too many secret pages are open');
      const key = randomBytes(32).toString('base64url');
      let settle!: (outcome: 'stored' | 'closed') => void;
      const done = new Promise<'stored' | 'closed'>((resolve) => (settle = resolve));
      const page: OpenPage = {
        ...request,
        title,
        ended: false,
        end(outcome) {
          if (page.ended) return;
          page.ended = true;
          clearTimeout(expiry);
          pages.delete(key);
          settle(outcome);
          if (pages.size === 0) options.onEmpty?.();
        },
      };
      const expiry = setTimeout(() => {
        page.end('closed');
      }, lifetimeMs).unref();
      pages.set(key, page);
      try {
        const origin = await options.origin();
        page.origin = origin;
        return {
          id: randomUUID(),
          url: `${origin}${secretPagePath}${key}`,
          done,
          close() {
            page.end('closed');
          },
        };
      } catch (error) {
        page.end('closed');
        throw error;
      }
    },

    async handle(request, response) {
      const [path = ''] = (request.url ?? '').split('?', 1);
      const page = pages.get(path.slice(secretPagePath.length));
      if (!path.startsWith(secretPagePath) || !page) {
        answer(response, 404, gone(title));
        return;
      }
      if (request.method === 'GET' || request.method === 'HEAD') {
        answer(response, 200, form(page));
      } else if (request.method !== 'POST') {
        response.setHeader('allow', 'GET, HEAD, POST');
        answer(response, 405, form(page));
      } else if (!isOwnForm(request, page)) {
        answer(response, 403, form(page, 'The form was not sent from this page.'));
      } else {
        await submit(request, response, page);
      }
    },

    close() {
      for (const page of [...pages.values()]) page.end('closed');
    },
  };
}

async function submit(
  request: IncomingMessage,
  response: ServerResponse,
  page: OpenPage,
): Promise<void> {
  const isForm = formType.test(request.headers['content-type'] ?? '');
  const body = isForm ? await readText(request, maxBodyBytes) : undefined;
  const secret = new URLSearchParams(body).get('secret')?.trim();
  if (page.ended) {
    answer(response, 404, gone(page.title));
    return;
  }
  if (secret === undefined || !/^[^\p{Cc}]{1,8192}$/u.test(secret)) {
    answer(response, 400, form(page, 'Enter a value of one line.'));
    return;
  }
  try {
    page.store(secret);
  } catch (error) {
    const problem = error instanceof ToolError ? error.message : 'This value cannot be used.';
    answer(response, 400, form(page, problem));
    return;
  }
  page.end('stored');
  answer(response, 200, stored(page.title));
}

/** Browsers say where a form came from. A page elsewhere does not know the key; this is the second lock. */
function isOwnForm({ headers }: IncomingMessage, page: OpenPage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  const { origin, host } = headers;
  if (origin === undefined || origin === page.origin) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

function answer(response: ServerResponse, status: number, html: string): void {
  const body = Buffer.from(html);
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
    'content-security-policy': contentSecurityPolicy,
    // Not no-referrer: with it a browser sends the form's Origin as null.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'x-robots-tag': 'noindex',
  });
  response.end(body);
}

const style = `
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
body { margin: 0; display: grid; min-height: 100vh; place-items: center; background: Canvas; color: CanvasText; }
main { box-sizing: border-box; width: min(28rem, 100%); padding: 1.5rem; }
h1 { font-size: 1.25rem; line-height: 1.3; }
label { display: block; font-weight: 600; overflow-wrap: anywhere; }
input, button { box-sizing: border-box; width: 100%; min-height: 2.75rem; margin-top: .5rem; padding: .5rem .75rem; font: inherit; border: 1px solid; border-radius: .375rem; }
button { margin-top: 1rem; background: CanvasText; color: Canvas; font-weight: 600; cursor: pointer; }
:focus-visible { outline: 3px solid CanvasText; outline-offset: 3px; }
[role=alert] { font-weight: 600; }
`;

const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

function document(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
<main>
${content}
</main>
</html>
`;
}

function form({ title, prompt }: OpenPage, problem?: string): string {
  const alert =
    problem === undefined ? '' : `<p id="problem" role="alert">${escapeHtml(problem)}</p>\n`;
  const invalid = problem === undefined ? '' : ' aria-invalid="true"';
  return document(
    title,
    `<h1>${escapeHtml(title)} asks for a secret</h1>
<p id="use">It is kept for your later calls. The assistant never sees it. Fill this in only if you asked for it.</p>
<form method="post">
${alert}<label for="secret">${escapeHtml(prompt)}</label>
<input id="secret" name="secret" type="password" required maxlength="8192" autocomplete="off" autofocus aria-describedby="use${problem === undefined ? '' : ' problem'}"${invalid}>
<button>Keep it</button>
</form>`,
  );
}

function stored(title: string): string {
  return document(title, '<h1>Kept</h1>\n<p>You can close this page and go on in your client.</p>');
}

function gone(title: string): string {
  return document(
    title,
    '<h1>Nothing to give here</h1>\n<p>This page was used, or its time is over. Ask for a new one in your client.</p>',
  );
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (mark) => entities[mark] ?? '');
}
