/** The platform's server-sent events, parsed. */
import type { EventSourceMessage } from 'eventsource-parser';
import { EventSourceParserStream, ParseError } from 'eventsource-parser/stream';

/** Maximum characters of one event, buffered until its end arrives. */
const maxBufferSize = 256 * 1024;

/**
 * Yields each event's JSON data; `undefined` for an event that is not JSON.
 *
 * @throws whatever the stream throws; for an oversized event, an error that {@link isUnreadable}
 *   recognises.
 */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator {
  const decoder = new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>;
  const events = body
    .pipeThrough(decoder)
    .pipeThrough(new EventSourceParserStream({ maxBufferSize }));
  for await (const { data } of events as unknown as AsyncIterable<EventSourceMessage>)
    yield parsed(data);
}

/** Whether an error means that the event stream itself could not be parsed. */
export const isUnreadable = (error: unknown): boolean => error instanceof ParseError;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
