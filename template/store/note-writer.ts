/** A person who writes notes to a running site over HTTP, and knows which of them were acknowledged. */
import { expect } from '../../e2e/fixtures';
import { newPerson, signUpByHttp, type Person } from '../../e2e/flows/accounts/person';
import {
  createCookieJar,
  formRequest,
  httpVisitor,
  type HttpVisitor,
} from '@gatehouse/simulator/http';

export interface NoteWriter {
  person: Person;
  visitor: HttpVisitor;
  account: string;
  /** Titles of the notes that were acknowledged. */
  kept: string[];
  retries: string[];
  /** Responses that are neither correct nor retryable. There must be none. */
  wrong: string[];
}

export async function signedInWriter(
  platform: Parameters<typeof signUpByHttp>[0],
): Promise<NoteWriter> {
  const id = crypto.randomUUID();
  const person = newPerson(`Writer ${id}`);
  await signUpByHttp(platform, person);
  const visitor = httpVisitor(platform, null, undefined, createCookieJar());
  const { email, password } = person;
  const { status } = await visitor.post('/sign-in', formRequest({ email, password }));
  expect(status).toBe(303);
  const { text } = await visitor.get('/notes');
  const [, account = ''] = /name="account" value="([^"]+)"/.exec(text) ?? [];
  return { person, visitor, account, kept: [], retries: [], wrong: [] };
}

/**
 * Writes a note and reads the list, repeatedly. A request without a response is sent again unchanged.
 *
 * @param next called before each request, to choose the process that gets it.
 */
export async function load(
  writer: NoteWriter,
  next: () => void,
  isOver: () => boolean,
): Promise<void> {
  const { person, visitor, account, kept, wrong } = writer;
  while (!isOver()) {
    const id = crypto.randomUUID();
    const title = `Note ${id}`;
    const fields = { account, intent: 'add', id, title };
    const added = await untilAvailable(writer, next, () =>
      visitor.post('/notes', formRequest(fields)),
    );
    if (added.status === 303 && added.headers.location === `/notes?added=${id}`) kept.push(title);
    else wrong.push(`POST /notes: ${added.status} ${added.headers.location ?? ''}`);

    const { status, text } = await untilAvailable(writer, next, () => visitor.get('/notes'));
    const names = [...new Set(text.match(/Writer [\da-f-]{36}/g))];
    const isRight = status === 200 && names.join() === person.name && text.includes(title);
    if (!isRight) wrong.push(`GET /notes: ${status}, of ${names.join()}, without ${title}`);
  }
}

type VisitorResponse = Awaited<ReturnType<HttpVisitor['get']>>;

async function untilAvailable(
  { retries }: NoteWriter,
  next: () => void,
  send: () => Promise<VisitorResponse>,
): Promise<VisitorResponse> {
  for (;;) {
    next();
    // The edge responds with 502 if it cannot reach the process.
    const response = await send().catch((error: unknown) => String(error));
    if (typeof response !== 'string' && ![502, 503].includes(response.status)) return response;
    retries.push(typeof response === 'string' ? response : String(response.status));
  }
}
