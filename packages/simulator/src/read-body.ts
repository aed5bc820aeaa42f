import type { IncomingMessage } from 'node:http';

/** Reads the request's body to its end; null when it is too large or incomplete. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  let chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) chunks = [];
      else chunks.push(chunk);
    }
  } catch {
    return null;
  }
  return size > maxBytes ? null : Buffer.concat(chunks);
}
