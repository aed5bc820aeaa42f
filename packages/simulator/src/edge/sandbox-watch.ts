/**
 * Adds a script to the pages of a sandboxed frame: browsers ignore `print()`, popups and more there without an error, and
 * report only to the developer tools. The platform's page receives what the script reports, and the ledger notes it.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';

const source = readFileSync(new URL('ignored-by-sandbox.js', import.meta.url), 'utf8');

/** The frame on the platform's page. */
export interface FrameState {
  /** The tokens of its `sandbox` attribute; null without the attribute. */
  sandbox: readonly string[] | null;
}

/** Whether a request is for a document of the frame, to which the script is added. */
export function isWatched({ sandbox }: FrameState, { method, headers }: IncomingMessage): boolean {
  return sandbox !== null && method === 'GET' && headers['sec-fetch-dest'] === 'iframe';
}

/**
 * @param headers names and values in turn
 * @returns the headers of the page with the script, and the stream that adds it; null for other responses
 */
export function withWatch(
  { sandbox }: FrameState,
  headers: readonly string[],
): { headers: string[]; add: Transform } | null {
  const valueOf = (name: string) =>
    headers.find((_, index) => index % 2 === 1 && headers[index - 1]?.toLowerCase() === name);
  const isPage = /^text\/html\b/i.test(valueOf('content-type') ?? '');
  if (!isPage || valueOf('content-encoding') !== undefined) return null;
  const script = `(() => { window.sandboxTokens = ${JSON.stringify(sandbox)};\n${source}\n})();`;
  const hash = createHash('sha256').update(script).digest('base64');
  const kept: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = headers.slice(index, index + 2);
    if (/^content-length$/i.test(name)) continue;
    const isPolicy = /^content-security-policy$/i.test(name);
    kept.push(name, isPolicy ? allowing(value, `'sha256-${hash}'`) : value);
  }
  return { headers: kept, add: inserting(`<script>${script}</script>`) };
}

/** The policy with one more inline script. */
function allowing(policy: string, hash: string): string {
  const directives = policy.split(';').map((directive) => directive.trim());
  const governing = ['script-src-elem', 'script-src', 'default-src'];
  const name = governing.find((governor) =>
    directives.some((directive) => directive.split(/\s/)[0] === governor),
  );
  return directives
    .map((directive) => {
      const [own, ...sources] = directive.split(/\s+/);
      if (name === undefined || own !== name) return directive;
      // A hash would make the browser ignore `unsafe-inline`.
      if (
        sources.includes("'unsafe-inline'") &&
        !sources.some((source) => /^'(nonce|sha)/.test(source))
      )
        return directive;
      const others = sources.filter((source) => source !== "'none'");
      // Other resources stay governed by `default-src`.
      const script = `${name === 'default-src' ? 'script-src' : name} ${[...others, hash].join(' ')}`;
      return name === 'default-src' ? `${directive}; ${script}` : script;
    })
    .join('; ');
}

/** Inserts the markup at the beginning of the document's head. The beginning of a page is in its first chunk. */
function inserting(markup: string): Transform {
  let isDone = false;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (isDone) {
        done(null, chunk);
        return;
      }
      isDone = true;
      const text = chunk.toString('latin1');
      const opening =
        /<head(\s[^>]*)?>|<html(\s[^>]*)?>(?![^]*<head[\s>])|^\s*<!doctype[^>]*>(?![^]*<html[\s>])/i;
      const found = opening.exec(text);
      const at = found ? found.index + found[0].length : 0;
      done(null, Buffer.concat([chunk.subarray(0, at), Buffer.from(markup), chunk.subarray(at)]));
    },
  });
}
