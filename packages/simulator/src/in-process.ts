/**
 * A platform without a server, for the offline demo of a site: it runs in the site's own process, and each
 * person has a state of their own, as long as there is room for it.
 */
import { createClock } from './clock.ts';
import {
  defaultMaxBytes,
  findOperation,
  NO_SUCH_ENDPOINT,
  routesOf,
  TOO_LARGE,
} from './definition.ts';
import { createPersonaBook, type Persona, type PersonaBook } from './people/personas.ts';
import { joinResources, type Resource } from './resources.ts';
import { runOperation } from './repetitions.ts';
import {
  errorResponse,
  eventOf,
  eventsType,
  headersOf,
  newsEveryMs,
  type EventsResponse,
  type OperationResponse,
} from './responses.ts';

export interface InProcessOptions {
  /** The persona that stands for a person. */
  personaOf: (person: string) => Persona;
  /** People whose state is kept, and as many again who have changed nothing yet. */
  people: number;
  /** Bytes of request bodies that may be arriving at the same time. */
  arrivingBytes: number;
}

/**
 * Runs a platform's operations.
 *
 * @param resources by the name that each has in the state.
 * @returns the platform's response to a person's request, whose host is ignored.
 */
export function runInProcess(
  resources: Readonly<Record<string, Resource>>,
  { personaOf, people, arrivingBytes }: InProcessOptions,
): (request: Request, person: string) => Promise<Response> {
  const inDemo = Object.entries(resources).map(([name, resource]) => [
    name,
    { ...resource, createState: resource.createDemoState ?? resource.createState },
  ]);
  const definition = joinResources(Object.fromEntries(inDemo) as typeof resources);
  const routes = routesOf(definition);
  const readBody = createBodyReader(arrivingBytes);
  const visitors = createVisitors(people, (person) => {
    const personas = createPersonaBook([personaOf(person)]);
    return { personas, state: definition.createState({ clock: createClock(), personas }) };
  });

  return async (request, person) => {
    const { pathname, searchParams } = new URL(request.url);
    const found = findOperation(routes, request.method, pathname);
    if (!found) return responseOf(NO_SUCH_ENDPOINT);
    const { operation, params } = found;
    const body = await readBody(request, operation.maxBytes ?? defaultMaxBytes);
    if (!Buffer.isBuffer(body)) return responseOf(body);

    const { personas, state } = visitors.find(person);
    const [persona] = personas.list() as [Persona];
    definition.settle?.({ state, persona });
    const response = runOperation(operation, {
      persona,
      personas,
      state,
      params,
      query: searchParams,
      headers: Object.fromEntries(request.headers),
      body,
    });
    const isChange = request.method !== 'GET' && !operation.isRead;
    if (isChange && 'status' in response && response.status < 400) visitors.keep(person);
    return responseOf(response);
  };
}

interface Visitor<State> {
  personas: PersonaBook;
  state: State;
}

/** The least recently seen are evicted. */
function createVisitors<State>(most: number, create: (person: string) => Visitor<State>) {
  const kept = new Map<string, Visitor<State>>();
  /**
   * Apart from the others, which they must not evict: every page load of a browser without a cookie makes one.
   */
  const unwritten = new Map<string, Visitor<State>>();

  /** Puts a visitor last, so that the first is the least recently seen. */
  const hold = (held: typeof kept, person: string, visitor: Visitor<State>) => {
    held.delete(person);
    held.set(person, visitor);
    const [oldest] = held.keys();
    if (held.size > most && oldest !== undefined) held.delete(oldest);
    return visitor;
  };

  const find = (person: string): Visitor<State> => {
    const known = kept.get(person);
    if (known) return hold(kept, person, known);
    return hold(unwritten, person, unwritten.get(person) ?? create(person));
  };
  return {
    find,
    /** For a visitor who has changed something. */
    keep(person: string): void {
      const visitor = find(person);
      unwritten.delete(person);
      hold(kept, person, visitor);
    },
  };
}

/** Reads bodies into memory, of which those that have not arrived completely must not take all. */
function createBodyReader(arrivingBytes: number) {
  let arriving = 0;
  return async ({ body }: Request, maxBytes: number): Promise<Buffer | OperationResponse> => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    try {
      for await (const chunk of (body ?? []) as unknown as AsyncIterable<Uint8Array>) {
        size += chunk.length;
        arriving += chunk.length;
        // Leaving the loop cancels the unread rest.
        if (size > maxBytes) return TOO_LARGE;
        if (arriving > arrivingBytes)
          return errorResponse(429, 'rate_limited', 'Too much at once.');
        chunks.push(chunk);
      }
      return Buffer.concat(chunks, size);
    } finally {
      arriving -= size;
    }
  };
}

function responseOf(response: OperationResponse | EventsResponse): Response {
  if ('news' in response) {
    return new Response(eventsOf(response), { headers: { 'content-type': eventsType } });
  }
  const { status, body } = response;
  const hasBody = status !== 204 && status !== 304;
  return new Response(hasBody ? partsOf(body) : null, { status, headers: headersOf(response) });
}

/** Sends a large file in parts, and without a copy of it. */
function partsOf(body: Buffer): ReadableStream<Uint8Array> {
  const size = 64 * 1024;
  let sent = 0;
  return new ReadableStream(
    {
      pull(controller) {
        controller.enqueue(body.subarray(sent, sent + size));
        sent += size;
        if (sent >= body.length) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** The events, until the reader cancels the stream. */
function eventsOf({ news }: EventsResponse): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout | undefined;
  return new ReadableStream({
    start(controller) {
      const poll = () => {
        for (const item of news()) controller.enqueue(encoder.encode(eventOf(item)));
      };
      poll();
      timer = setInterval(poll, newsEveryMs);
    },
    cancel: () => {
      clearInterval(timer);
    },
  });
}
