/**
 * The questions of one call in the modern era. An unanswered question ends the run; the client repeats the call
 * with the answer, and the handler starts from its beginning (MCP 2026-07-28, multi round-trip requests).
 */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { formSchemaOf } from '../../core/context/input-types.ts';
import type { ElicitReply, InputType } from '../../core/context/tool-context.ts';
import { checkRepeatedWrite, type Writes } from '../../core/context/writes.ts';
import { errorText, ToolError } from '../../core/result/errors.ts';
import type { AnyResult, Call } from '../connection.ts';
import { codes, ProtocolError } from '../protocol-error.ts';
import { type ElicitResult, ElicitResultSchema } from '../sdk.ts';
import { formReply, noSecretText, openSecretPage, secretReply } from './elicitation.ts';
import { digestOf, type Binding } from './request-state.ts';
import type { SecretPage } from './secret-pages.ts';

/** A question, identified by its position among the questions of its call. */
const rememberedQuestion = z.object({
  /** Digest of the question: an answer is valid for this question only. */
  question: z.string(),
  method: z.string(),
  /** Absent until the client answers. For a question to the user, an `ElicitResult`. */
  reply: z.unknown().optional(),
  pageId: z.string().optional(),
});
type RememberedQuestion = z.output<typeof rememberedQuestion>;

const rememberedCall = z.object({
  idempotencyKey: z.string(),
  /** Digests of the idempotency keys of the writes before the questions. */
  writes: z.array(z.string()),
  questions: z.record(z.string(), rememberedQuestion),
});
type RememberedCall = z.output<typeof rememberedCall>;

type Fields = Readonly<Record<string, unknown>>;

const elicitation = 'elicitation/create';

/** Thrown for a question without an answer. If the handler catches it, the handler's result is dropped. */
class MissingReply extends ToolError {
  constructor() {
    super('The user has not answered yet.');
  }
}

export class Rounds {
  readonly #call: Call;
  readonly #binding: Binding;
  readonly #before: RememberedCall;
  readonly #posed = new Map<string, RememberedQuestion>();
  readonly #requests: Record<string, { method: string; params: Fields }> = {};
  #count = 0;
  #missing: Fields | undefined;

  constructor(call: Call, binding: Binding, before?: RememberedCall) {
    this.#call = call;
    this.#binding = binding;
    this.#before = before ?? { idempotencyKey: randomUUID(), writes: [], questions: {} };
  }

  get idempotencyKey(): string {
    return this.#before.idempotencyKey;
  }

  get hasEarlierWrites(): boolean {
    return this.#before.writes.length > 0;
  }

  get hasOpenQuestions(): boolean {
    return Object.keys(this.#requests).length > 0;
  }

  /** @throws ToolError that ends the run, or that states why the user cannot be asked. */
  async elicit(prompt: string, inputType: InputType): Promise<ElicitReply<unknown>> {
    const place = `question-${(this.#count += 1)}`;
    const question = digestOf([prompt, inputType]);
    const known = this.#replied(place, question);
    if (known) {
      const reply = known.reply as ElicitResult;
      return inputType === 'password'
        ? secretReply(reply.action, this.#pageOf(known), this.#call)
        : formReply(reply, inputType);
    }
    if (inputType === 'password') return this.#elicitSecret(place, question, prompt);
    this.#require('form', 'The user cannot be asked: it takes a client that shows forms.');
    const requestedSchema = formSchemaOf(inputType);
    const params = { mode: 'form', message: prompt, requestedSchema };
    return this.#request(place, { question, method: elicitation }, params);
  }

  /**
   * Asks with a method of the protocol, under a name chosen by the caller. A service's tools never need it.
   *
   * @returns The client's response.
   * @throws ToolError that ends the run.
   */
  put(place: string, method: string, params: Fields): unknown {
    const question = digestOf([method, params]);
    const known = this.#replied(place, question);
    return known ? known.reply : this.#request(place, { question, method }, params);
  }

  /**
   * @throws ToolError if a write is not allowed: a question is pending, or the write would repeat an earlier one
   *   under another key.
   */
  checkWrite(idempotencyKey: string | undefined): void {
    if (this.hasOpenQuestions) throw new MissingReply();
    const isBehind = Object.keys(this.#before.questions).some((place) => !this.#posed.has(place));
    if (isBehind && idempotencyKey !== undefined) {
      checkRepeatedWrite(this.#before.writes, idempotencyKey);
    }
  }

  /**
   * Returns the result of a run that asked a question.
   *
   * @param isError Whether the run's own result is an error.
   * @returns Undefined if the run's own result is the result of the call.
   * @throws ProtocolError (-32021) if the run failed because the client does not support elicitation.
   */
  outcome(writes: Writes | undefined, isError: boolean): AnyResult | undefined {
    if (this.hasOpenQuestions) {
      try {
        // A parallel branch of the handler may have written while the page was being opened.
        writes?.checkQuestion();
      } catch (error) {
        return { content: [{ type: 'text', text: errorText(error) }], isError: true };
      }
      const remembered: RememberedCall = {
        idempotencyKey: this.idempotencyKey,
        writes: [...new Set([...this.#before.writes, ...(writes?.keys ?? [])])],
        questions: Object.fromEntries(this.#posed),
      };
      const requestState = this.#call.states?.seal(remembered, this.#binding);
      return { resultType: 'input_required', inputRequests: this.#requests, requestState };
    }
    if (isError && this.#missing) {
      const { message, ...data } = this.#missing;
      throw new ProtocolError(codes.missingCapability, String(message), data, 400);
    }
    return undefined;
  }

  /** Returns the earlier answer if it belongs to this question. */
  #replied(place: string, question: string): RememberedQuestion | undefined {
    const known = this.#before.questions[place];
    if (known?.reply === undefined || known.question !== question) return undefined;
    this.#posed.set(place, known);
    return known;
  }

  #request(place: string, question: RememberedQuestion, params: Fields): never {
    this.#posed.set(place, question);
    this.#requests[place] = { method: question.method, params };
    throw new MissingReply();
  }

  /** The handler may catch the error and continue without an answer. */
  #require(mode: 'form' | 'url', message: string): void {
    if (this.#call.remembered.elicits[mode]) return;
    this.#missing = { message, requiredCapabilities: { elicitation: { [mode]: {} } } };
    throw new ToolError(message);
  }

  async #elicitSecret(place: string, question: string, prompt: string): Promise<never> {
    const { runtime, connection } = this.#call;
    if (connection.secretPages && runtime.credentials) {
      this.#require('url', noSecretText(this.#call));
    }
    const page = await openSecretPage(this.#call, prompt);
    const params = { mode: 'url', message: prompt, url: page.url };
    return this.#request(place, { question, method: elicitation, pageId: page.id }, params);
  }

  #pageOf({ pageId = '' }: RememberedQuestion): SecretPage | undefined {
    return this.#call.connection.secretPages?.find(pageId);
  }
}

const retryParams = z.object({
  inputResponses: z.record(z.string(), z.unknown()).default({}),
});

/**
 * Restores the rounds of a repeated call.
 *
 * @throws ProtocolError (-32602) for an invalid state or answer.
 */
export async function resume(call: Call, binding: Binding, params: Fields): Promise<Rounds> {
  const before = await call.states?.open(params['requestState'], binding, (content) =>
    withReplies(rememberedCall.parse(content), params),
  );
  return new Rounds(call, binding, before);
}

/** @throws ProtocolError (-32602) for an invalid answer. */
function withReplies(before: RememberedCall, params: Fields): RememberedCall {
  const responses = retryParams.safeParse(params);
  if (!responses.success) {
    throw new ProtocolError(
      codes.invalidParams,
      'Invalid params: inputResponses must be an object',
    );
  }
  for (const [place, question] of Object.entries(before.questions)) {
    const response = responses.data.inputResponses[place];
    if (question.reply !== undefined || response === undefined) continue;
    const isWrong =
      question.method === elicitation && !ElicitResultSchema.safeParse(response).success;
    if (isWrong) {
      throw new ProtocolError(
        codes.invalidParams,
        `Invalid params: inputResponses.${place} must be a response to elicitation/create`,
      );
    }
    question.reply = response;
  }
  return before;
}
