/**
 * The platform's own pages on the site's host: sign-in and error messages. Plain HTML that works without
 * scripts and fits a narrow frame.
 */
import { createHash } from 'node:crypto';

import { displayName, initialOf, type Persona } from '../people/personas.ts';

const STYLE = `
:root { color-scheme: light dark; --ground: light-dark(#f4f5f7, #0e1116); --card: light-dark(#fff, #171b22);
  --line: light-dark(#dfe3e8, #2b323d); --ink: light-dark(#161a20, #e8ebf0); --soft: light-dark(#586271, #9aa5b5);
  --accent: light-dark(#1d4ed8, #8ab4ff); }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; padding: 1rem; background: var(--ground);
  color: var(--ink); font: 15px/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", sans-serif; }
main { width: 100%; max-width: 25rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px;
  padding: 1.5rem; box-shadow: 0 1px 2px rgb(0 0 0 / .05), 0 12px 32px -16px rgb(0 0 0 / .25); }
h1 { font-size: 1.2rem; line-height: 1.3; margin: 0 0 .25rem; letter-spacing: -.01em; }
p { margin: 0 0 1rem; color: var(--soft); }
p:last-child { margin: 0; }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: .4rem; }
button { width: 100%; display: flex; align-items: center; gap: .75rem; padding: .6rem .7rem; text-align: left; font: inherit;
  color: inherit; background: none; border: 1px solid var(--line); border-radius: 10px; cursor: pointer; }
button:hover { border-color: var(--accent); background: color-mix(in srgb, var(--accent) 7%, transparent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
svg { flex: none; width: 36px; height: 36px; border-radius: 50%; }
button span { min-width: 0; display: grid; }
button strong { font-weight: 600; }
button strong, button small { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
small { color: var(--soft); font-size: .84rem; }
a { color: var(--accent); }
footer { margin-top: 1rem; padding-top: .9rem; border-top: 1px solid var(--line); font-size: .84rem; color: var(--soft); }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * Headers of the platform's pages on the site's host.
 *
 * @param framedBy the origin that may frame them.
 */
export function platformPageHeaders(framedBy: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'self' ${framedBy}`,
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  };
}

/**
 * The sign-in page.
 *
 * @param returnPath already validated by `readReturnPath`.
 */
export function signInPage(
  personas: Persona[],
  returnPath: string,
  current: Persona | null,
): string {
  const intro = current
    ? `You are signed in as ${escapeHtml(displayName(current))}. Choose who to be instead.`
    : 'Choose who to be. Every account here is made up, and needs no password.';
  const choices = personas.map(
    (persona) => `<li><button name="persona" value="${escapeHtml(persona.id)}">${avatarSvg(persona)}
<span><strong>${escapeHtml(displayName(persona))}</strong><small>${escapeHtml(persona.purpose)}</small></span></button></li>`,
  );
  return page(
    'Sign in to the platform',
    `<h1>Sign in to the platform</h1>
<p>${intro}</p>
<form method="post" action="/__auth/login">
<input type="hidden" name="return" value="${escapeHtml(returnPath)}">
<ul>${choices.join('\n')}</ul>
</form>
<footer>This page belongs to the platform, not to the site. <a href="${escapeHtml(returnPath)}">Go back without signing in</a></footer>`,
  );
}

/** A page with a title and one paragraph; `retry` makes the browser reload it after two seconds. */
export function messagePage(title: string, text: string, { retry = false } = {}): string {
  return page(
    title,
    `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(text)}</p>`,
    retry ? '<meta http-equiv="refresh" content="2">' : '',
  );
}

/** A persona's initial on their colour. */
export function avatarSvg(persona: Persona): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36" width="36" height="36" aria-hidden="true"><rect width="36" height="36" fill="${persona.colour}"/><text x="18" y="18" dy=".36em" text-anchor="middle" font-family="system-ui,sans-serif" font-size="16" font-weight="600" fill="#fff">${escapeHtml(initialOf(persona))}</text></svg>`;
}

/** Escapes text for HTML, in element content and in quoted attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function page(title: string, body: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>${head}
<style>${STYLE}</style>
</head>
<body><main>
${body}
</main></body>
</html>
`;
}
