/** Implements the tool context for one request (M21 to M26). */
import { randomUUID } from 'node:crypto';
import {
  type ElicitReply,
  type InputType,
  type InputValue,
  type ResourceContents,
  type ToolContext,
} from '../../core/context/tool-context.ts';
import { Progress } from '../../core/context/progress.ts';
import { redact, redactText } from '../../core/context/redact.ts';
import { Writes } from '../../core/context/writes.ts';
import type { Written } from '../../core/result/errors.ts';
import { logLevels, type AnyResult, type Call, type Extra, type Outgoing } from '../connection.ts';
import { elicit } from '../questions/elicitation.ts';
import { RequestContext } from './request-context.ts';
import { readKnown } from './read-resource.ts';
import { Rounds } from '../questions/rounds.ts';
import type { Binding } from '../questions/request-state.ts';

type Data = Readonly<Record<string, unknown>>;

const severity = new Map<string, number>([
  ...logLevels.options.map((level, index) => [level, index] as const),
  ['none', Infinity],
]);

/** The context of a tool call, and what the adapter needs of it. */
export class CallContext extends RequestContext implements ToolContext {
  /** Also in the call's log lines and in its result, so that they can be correlated. */
  readonly callId = randomUUID();
  readonly #call: Call;
  readonly #binding: Binding;
  readonly #progress: Progress | undefined;
  #rounds: Rounds | undefined;
  #writes: Writes | undefined;
  #finished = false;

  /**
   * Returns the request that a context was created for: for features of the protocol that {@link ToolContext} does
   * not cover. A service's tools never need it.
   */
  static requestOf(context: ToolContext): Extra | undefined {
    return #call in context ? context.#call.extra : undefined;
  }

  /** Returns the rounds of a call in the modern era. Like {@link requestOf}, not for a service's tools. */
  static roundsOf(context: ToolContext): Rounds | undefined {
    return #call in context ? context.#inRounds() : undefined;
  }

  constructor(call: Call, binding: Binding, rounds: Rounds | undefined) {
    super(call);
    this.#call = call;
    this.#binding = binding;
    this.#rounds = rounds;
    const progressToken = call.extra._meta?.progressToken;
    if (progressToken !== undefined) {
      this.#progress = new Progress((step) =>
        this.#notify({ method: 'notifications/progress', params: { progressToken, ...step } }),
      );
    }
  }

  get idempotencyKey(): string {
    return this.#inRounds()?.idempotencyKey ?? this.callId;
  }

  async reportProgress(progress: number, message?: string, total?: number): Promise<void> {
    await this.#progress?.report(progress, message, total);
  }

  async reportPause(message: string, data?: Data): Promise<void> {
    await Promise.all([this.#log('info', message, data), this.#progress?.mention(message)]);
  }

  logDebug(message: string, data?: Data): Promise<void> {
    return this.#log('debug', message, data);
  }

  logInfo(message: string, data?: Data): Promise<void> {
    return this.#log('info', message, data);
  }

  logError(message: string, data?: Data): Promise<void> {
    return this.#log('error', message, data);
  }

  async elicit<const Type extends InputType>(
    prompt: string,
    inputType: Type,
  ): Promise<ElicitReply<InputValue<Type>>> {
    this.#writes?.checkQuestion();
    const rounds = this.#inRounds();
    const stop = this.#progress?.keepAlive('Waiting for the user');
    try {
      const reply = rounds
        ? await rounds.elicit(prompt, inputType)
        : await elicit(this.#call, prompt, inputType);
      return reply as ElicitReply<InputValue<Type>>;
    } finally {
      stop?.();
    }
  }

  readResource(uri: string): Promise<readonly ResourceContents[]> {
    return readKnown(uri, this.#call.runtime, this);
  }

  noteWrite(idempotencyKey: string | undefined): (hasSucceeded: boolean) => void {
    this.#rounds?.checkWrite(idempotencyKey);
    this.#writes ??= new Writes();
    return this.#writes.note(idempotencyKey);
  }

  get written(): Written {
    const written = this.#writes?.written ?? 'no';
    return written === 'no' && this.#rounds?.hasEarlierWrites ? 'perhaps' : written;
  }

  /**
   * Returns the result that replaces the handler's own: a question, in the modern era.
   *
   * @throws ProtocolError if the handler failed because its client does not support elicitation.
   */
  outcome(isError: boolean): AnyResult | undefined {
    return this.#rounds?.outcome(this.#writes, isError);
  }

  /** Flushes pending progress and stops notifications. Call it before the result is sent. */
  async finish(): Promise<void> {
    await this.#progress?.finish();
    this.#finished = true;
  }

  /** Created on demand: most calls ask no questions. */
  #inRounds(): Rounds | undefined {
    if (this.#call.states) this.#rounds ??= new Rounds(this.#call, this.#binding);
    return this.#rounds;
  }

  async #log(level: 'debug' | 'info' | 'error', message: string, data?: Data): Promise<void> {
    const { runtime, remembered } = this.#call;
    runtime.log[level](message, { ...data, caller: this.caller.id, callId: this.callId });
    if ((severity.get(level) ?? 0) < (severity.get(remembered.logLevel) ?? 0)) return;
    await this.#notify({
      method: 'notifications/message',
      params: {
        level,
        logger: this.serverName,
        data: data ? { message: redactText(message), data: redact(data) } : redactText(message),
      },
    });
  }

  /** Never rejects: a call must not fail because its client has disconnected. */
  async #notify(notification: Outgoing): Promise<void> {
    const { extra, runtime } = this.#call;
    if (this.#finished || this.cancellation.aborted) return;
    try {
      await extra.sendNotification(notification);
    } catch (error) {
      runtime.log.debug('A notification could not be sent', { error });
    }
  }
}
