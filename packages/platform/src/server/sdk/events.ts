/** Server-sent events of the platform. */
import type { EventSourceMessage } from 'eventsource-parser';
import { EventSourceParserStream, ParseError } from 'eventsource-parser/stream';
import type { z } from 'zod';
import { rethrow, type ErrorCodes, type SdkCalls } from './calls.ts';

/** Maximum characters of one event, buffered until its end arrives. */
const maxBufferSize = 256 * 1024;

export interface EventsOptions<Safe> {
  get: string;
  /** Acts in the workspace that the SDK was opened for. A 409 says that it is gone. */
  inWorkspace?: true;
  /** The JSON of an event. Those that are something else are left out. */
  item: z.ZodType<Safe>;
  codes?: ErrorCodes;
}

/**
 * Declares a stream of events, which the platform may let idle.
 *
 * @returns a method that yields until `signal` aborts or the platform ends the stream, as it does when
 *   the visitor's session ends.
 */
export function events<Safe>({ get, inWorkspace, item: schema, codes }: EventsOptions<Safe>) {
  return (calls: SdkCalls) =>
    async function* ({ signal }: { signal: AbortSignal }): AsyncGenerator<Safe, void> {
      const path = inWorkspace ? calls.inWorkspace(get) : get;
      const stream = { path, signal, isEndless: true, maxBytes: Infinity };
      const usual: ErrorCodes = inWorkspace ? { 409: 'workspace_gone' } : {};
      const { body } = await calls.open(stream, { ...usual, ...codes });
      try {
        for await (const value of eventsOf(body)) {
          const [item] = calls.readable(schema, [value], { path, size: 1 });
          if (item !== undefined) yield item;
        }
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof ParseError) throw calls.unusable(path, 'unexpected events');
        rethrow(error);
      }
    };
}

/**
 * Yields each event's JSON data; `undefined` for an event that is not JSON.
 *
 * @throws whatever the stream throws; a `ParseError` for an oversized event.
 */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator {
  const decoder = new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>;
  const messages = body
    .pipeThrough(decoder)
    .pipeThrough(new EventSourceParserStream({ maxBufferSize }));
  for await (const { data } of messages as unknown as AsyncIterable<EventSourceMessage>)
    yield parsed(data);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
