/** What the internal API can do: the table of its endpoints, and the work of each. */
import type { IncomingMessage } from 'node:http';

import { jsonAnswer, type Answer } from './fault-delivery';
import type { Endpoint } from './faults';
import type { Generations } from './generations';
import { fileAnswer, type Media, type Received } from './media';
import type { Persona, PersonaBook } from './personas';

export interface OperationParts {
  personas: PersonaBook;
  generations: Generations;
  media: Media;
}

export interface Call {
  request: IncomingMessage;
  url: URL;
  /** The id in a path such as `/generations/{id}`. */
  id: string;
  body: string;
  /** What was uploaded, where the endpoint takes files. */
  file: Received | null;
}

type Operation = (persona: Persona, call: Call, parts: OperationParts) => Answer;
type EndpointName = Exclude<Endpoint, '*'>;

export interface Route {
  method: string;
  path: RegExp;
  endpoint: EndpointName;
  run: Operation;
  /** Its body is a file, and not a little JSON. */
  takesFile?: boolean;
}

/** Method, path, name and work of every endpoint. */
export const ROUTES: readonly Route[] = [
  { method: 'GET', path: /^\/user$/, endpoint: 'user', run: readUser },
  { method: 'POST', path: /^\/generations$/, endpoint: 'submit', run: submit },
  { method: 'GET', path: /^\/generations$/, endpoint: 'list', run: list },
  { method: 'GET', path: /^\/generations\/([^/]+)$/, endpoint: 'status', run: readStatus },
  { method: 'GET', path: /^\/generations\/([^/]+)\/output$/, endpoint: 'output', run: readOutput },
  { method: 'POST', path: /^\/media$/, endpoint: 'upload', run: upload, takesFile: true },
  { method: 'GET', path: /^\/media\/([^/]+)$/, endpoint: 'media', run: readMedia },
];

const NO_SUCH_GENERATION = jsonAnswer(404, { error: 'not_found', message: 'No such generation.' });

function readUser(persona: Persona, _call: Call, { personas }: OperationParts): Answer {
  return jsonAnswer(200, personas.profileOf(persona));
}

function submit(persona: Persona, { request, body }: Call, parts: OperationParts): Answer {
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    return jsonAnswer(415, { error: 'unsupported_media_type', message: 'Send JSON.' });
  }
  const prompt = promptIn(body);
  const problem = parts.generations.problemWith(prompt);
  if (problem !== null || typeof prompt !== 'string') {
    return jsonAnswer(422, { error: 'invalid_prompt', message: problem });
  }
  if (!parts.personas.spendCredit(persona)) {
    return jsonAnswer(402, { error: 'insufficient_credits', message: 'No credits are left.' });
  }
  return jsonAnswer(201, parts.generations.submit(persona.id, prompt));
}

function list(persona: Persona, { url }: Call, { generations }: OperationParts): Answer {
  const page = generations.list(persona.id, {
    limit: url.searchParams.get('limit'),
    cursor: url.searchParams.get('cursor'),
  });
  return page
    ? jsonAnswer(200, page)
    : jsonAnswer(422, { error: 'invalid_page', message: 'limit or cursor is not valid.' });
}

function readStatus(persona: Persona, { id }: Call, { generations }: OperationParts): Answer {
  const generation = generations.find(persona.id, id);
  return generation ? jsonAnswer(200, generation) : NO_SUCH_GENERATION;
}

function readOutput(
  persona: Persona,
  { request, id }: Call,
  { generations }: OperationParts,
): Answer {
  if (!generations.find(persona.id, id)) return NO_SUCH_GENERATION;
  const picture = generations.output(persona.id, id);
  return picture
    ? fileAnswer(request, 'image/png', picture)
    : jsonAnswer(409, { error: 'not_ready', message: 'The picture is not ready.' });
}

function upload(persona: Persona, { request, file }: Call, { media }: OperationParts): Answer {
  return media.add(persona.id, request.headers['content-type'], file ?? { body: null, sha256: '' });
}

function readMedia(persona: Persona, { request, id }: Call, { media }: OperationParts): Answer {
  const file = media.find(persona.id, id);
  return file
    ? fileAnswer(request, file.content_type, file.body)
    : jsonAnswer(404, { error: 'not_found', message: 'No such file.' });
}

function promptIn(body: string): unknown {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && 'prompt' in value ? value.prompt : null;
  } catch {
    return null;
  }
}
