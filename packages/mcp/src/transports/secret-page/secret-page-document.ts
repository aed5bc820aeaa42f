/** The HTML of the secret page: one document without scripts, for light and dark mode. */
import { createHash } from 'node:crypto';

const style = `
:root { color-scheme: light dark; --canvas: #faf8f4; --surface: #fff; --field: #fff; --line: #e3ddd1; --edge: #8b8475; --ink: #1d1b17; --muted: #615c51; --accent: #165d4f; --strong: #0f463b; --soft: #e2efe9; --on: #fff; --danger: #9f2f1c; font: 100%/1.5 ui-sans-serif, system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { :root { --canvas: #121316; --surface: #1a1c20; --field: #0d0e10; --line: #2d3037; --edge: #767c88; --ink: #f2efe8; --muted: #aaa69c; --accent: #6fd3b8; --strong: #93e2cd; --soft: #1b2f2b; --on: #08231c; --danger: #ff9d88; } }
* { box-sizing: border-box; margin: 0; }
body { display: grid; min-height: 100vh; min-height: 100svh; place-items: center; padding: 1rem; background: var(--canvas); color: var(--ink); -webkit-font-smoothing: antialiased; }
main { width: min(27rem, 100%); padding: clamp(1.5rem, 6vw, 2.25rem); background: var(--surface); border: 1px solid var(--line); border-radius: 1rem; box-shadow: 0 1px 2px rgb(0 0 0 / .04), 0 8px 24px -12px rgb(0 0 0 / .12); }
svg { display: block; width: 2.75rem; height: 2.75rem; padding: .625rem; border-radius: .75rem; background: var(--soft); color: var(--accent); fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }
.whose { margin-top: 1.25rem; color: var(--muted); font-size: .875rem; overflow-wrap: anywhere; }
h1 { margin-top: .125rem; font: 600 1.625rem/1.25 'Iowan Old Style', 'Palatino Linotype', Palatino, ui-serif, Georgia, serif; letter-spacing: -.01em; text-wrap: balance; }
h1 + p { margin-top: .75rem; color: var(--muted); text-wrap: pretty; }
form { margin-top: 1.5rem; }
label { display: block; font-weight: 600; overflow-wrap: anywhere; text-wrap: balance; }
input, button { width: 100%; min-height: 2.875rem; padding: .5rem .875rem; font: inherit; border-radius: .625rem; }
input { margin-top: .5rem; color: inherit; background: var(--field); border: 1px solid var(--edge); }
input[aria-invalid] { border-color: var(--danger); }
button { margin-top: 1.25rem; border: 0; background: var(--accent); color: var(--on); font-weight: 600; cursor: pointer; }
button:hover { background: var(--strong); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
[role=alert] { margin-top: .5rem; color: var(--danger); font-size: .9375rem; }
.note { margin-top: 1rem; color: var(--muted); font-size: .875rem; text-wrap: pretty; }
@media (forced-colors: active) { button { border: 1px solid; } }
`;

/** No scripts, no subresources, no framing, and the form can only be sent to this origin. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

const icons = {
  lock: '<rect x="4.5" y="10.5" width="15" height="10" rx="2.5"/><path d="M8 10.5V7.5a4 4 0 0 1 8 0v3M12 14.5v2"/>',
  tick: '<path d="M5 12.5l4.5 4.5L19 7.5"/>',
  clock: '<circle cx="12" cy="12" r="8.5"/><path d="M12 7v5l3 2"/>',
} as const;

interface Content {
  readonly icon: keyof typeof icons;
  readonly heading: string;
  readonly html: string;
}

function document(title: string, { icon, heading, html }: Content): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${heading} · ${escapeHtml(title)}</title>
<style>${style}</style>
<main>
<svg viewBox="0 0 24 24" aria-hidden="true">${icons[icon]}</svg>
<p class="whose">${escapeHtml(title)}</p>
<h1>${heading}</h1>
${html}
</main>
</html>
`;
}

export interface FormContent {
  readonly title: string;
  readonly prompt: string;
  readonly callerName?: string;
}

/** @param problem Why the previous value was rejected. */
export function formPage({ title, prompt, callerName }: FormContent, problem?: string): string {
  const isWrong = problem !== undefined;
  const describedBy = isWrong ? 'problem use' : 'use';
  return document(title, {
    icon: 'lock',
    heading: 'Connect your account',
    html: `<p id="use">${useOf(callerName)} The assistant never sees it.</p>
<form method="post">
<label for="secret">${escapeHtml(prompt)}</label>
<input id="secret" name="secret" type="password" required autocomplete="off" autocapitalize="off" spellcheck="false" autofocus aria-describedby="${describedBy}"${isWrong ? ' aria-invalid="true"' : ''}>
${isWrong ? `<p id="problem" role="alert">${escapeHtml(problem)}</p>\n` : ''}<button>Connect</button>
</form>
<p class="note">Go on only if you have just asked for this in your client.</p>`,
  });
}

function useOf(callerName?: string): string {
  return callerName === undefined
    ? 'What you enter is kept for your later calls.'
    : `What you enter is kept for the calls of <b>${escapeHtml(callerName)}</b>. If that is not you, close this page.`;
}

export function storedPage(title: string): string {
  return document(title, {
    icon: 'tick',
    heading: 'Received',
    html: '<p>You can close this page and go on in your client.</p>',
  });
}

export function gonePage(title: string): string {
  return document(title, {
    icon: 'clock',
    heading: 'This page is closed',
    html: '<p>It was used, or its time is over. Ask for a new one in your client.</p>',
  });
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
