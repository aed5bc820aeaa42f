/** Reads a body of bounded size and depth, and parses it as JSON. */
import type { IncomingMessage } from 'node:http';
import { errorCode, refusal, type Middleware } from './exchange.ts';

/** Deeper than any message is: `JSON.stringify` and what walks a value by recursion would end on far more. */
const maxDepth = 100;

/** @param maxBytes Of the body. More is refused unread, or as soon as it is seen. */
export function readBody(maxBytes: number): Middleware {
  const tooLarge = refusal(
    413,
    errorCode.refused,
    `Payload Too Large: a body may have ${maxBytes} bytes.`,
  );
  const notJson = refusal(400, errorCode.parseError, 'Parse error: the body is not JSON.');
  const tooDeep = refusal(400, errorCode.invalidRequest, 'Invalid Request: nested too deeply.');
  return async (exchange) => {
    const { request } = exchange;
    if (request.method !== 'POST') return undefined;
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return tooLarge;
    const text = await readText(request, maxBytes);
    if (text === undefined) return tooLarge;
    if (isTooDeep(text)) return tooDeep;
    try {
      exchange.body = JSON.parse(text) as unknown;
    } catch {
      return notJson;
    }
    return undefined;
  };
}

/** The whole text, or undefined when it is too large. A caller who leaves gives an empty text. */
export function readText(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let size = 0;
    const chunks: Buffer[] = [];
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        request.off('data', onData);
        resolve(undefined);
      } else {
        chunks.push(chunk);
      }
    };
    request
      .on('data', onData)
      .once('end', () => {
        resolve((chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)).toString());
      })
      .once('error', () => {
        resolve('');
      });
  });
}

/** Counts brackets outside strings. A text of few bytes cannot be deep, and most messages are of few bytes. */
function isTooDeep(text: string): boolean {
  if (text.length <= 2 * maxDepth) return false;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') {
      index = endOfString(text, index);
    } else if (character === '[' || character === '{') {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (character === ']' || character === '}') {
      depth -= 1;
    }
  }
  return false;
}

/** The index of the quote that ends the string begun at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
