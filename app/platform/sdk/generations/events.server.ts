/** The platform's server-sent events, as values. */
import type { EventSourceMessage } from 'eventsource-parser';
import { EventSourceParserStream, ParseError } from 'eventsource-parser/stream';

/** Characters of one event that the platform may keep the site waiting for the end of. */
const maxBufferSize = 256 * 1024;

/**
 * What the events say. One that is no JSON is undefined.
 *
 * @throws what the stream throws, or what {@link isUnreadable} tells, for an event that is too long.
 */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator {
  const decoder = new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>;
  const events = body
    .pipeThrough(decoder)
    .pipeThrough(new EventSourceParserStream({ maxBufferSize }));
  for await (const { data } of events as unknown as AsyncIterable<EventSourceMessage>)
    yield parsed(data);
}

/** Whether events could not be read, for whatever is in them. */
export const isUnreadable = (error: unknown): boolean => error instanceof ParseError;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
