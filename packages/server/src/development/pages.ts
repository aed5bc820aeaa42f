/** Pages that exist only in development. Independent of the site, which may not compile. */
import type { ErrorPayload } from 'vite';
import type { ServerSettings } from '../site.ts';

/** Sent by an error page over Vite's WebSocket: the error may have been fixed before it connected. */
export const compileErrorEvent = 'site:compile-error';

/**
 * Shows a compile error in Vite's overlay. Vite's client reloads the page once the code compiles.
 *
 * @param nonce of the page's content security policy.
 */
export function compileErrorPage(error: ErrorPayload['err'], nonce: string): string {
  const { message, loc, id, frame = '' } = error;
  const place = loc ? `${loc.file ?? id ?? ''}:${loc.line}:${loc.column}` : (id ?? '');
  return page({
    title: 'This code does not run',
    body: `<pre>${escaped([message, place, frame].filter(Boolean).join('\n\n'))}</pre>`,
    head: `<meta property="csp-nonce" nonce="${nonce}">
<script type="module" nonce="${nonce}">
  import { createHotContext, ErrorOverlay } from '/@vite/client';
  document.body.append(new ErrorOverlay(${JSON.stringify(error).replaceAll('<', '\\u003c')}));
  createHotContext('/').send('${compileErrorEvent}');
</script>`,
  });
}

/** Shown on the site's own port, which bypasses what answers at its origin: nobody is signed in there. */
export function ownPortPage(env: ServerSettings, path: string): string {
  const address = (url: string) => `<a href="${escaped(url)}">${escaped(url)}</a>`;
  const framing = env.frameAncestors.find((source) => /^https?:\/\/[^*]+$/.test(source));
  return page({
    title: 'This is the site’s own port',
    body: [
      ...(framing ? [`<p>The page that frames the site: ${address(framing)}</p>`] : []),
      `<p>This page as a visitor meets it: ${address(env.siteOrigin + path)}</p>`,
      '<p>Nobody can sign in at this port: open the site at its own address.</p>',
    ].join('\n'),
  });
}

function page({ title, body, head = '' }: { title: string; body: string; head?: string }): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${head}
<h1>${title}</h1>
${body}
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
