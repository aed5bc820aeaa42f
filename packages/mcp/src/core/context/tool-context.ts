/** The context that a handler receives with its arguments (M21 to M26). The adapter creates one for each call. */
import type { Cancellation } from './cancellation.ts';
import type { Written } from '../result/errors.ts';

/**
 * The authenticated caller. `id` is `local` over stdio and on loopback, `bearer` or `bearer:<name>` for a static
 * token, or an OAuth subject with its issuer.
 */
export interface Caller {
  readonly id: string;
  /** The name of the static token, if it has one. */
  readonly name?: string;
  /** The scopes granted to an OAuth caller's access token. */
  readonly scopes?: readonly string[];
  /** The validated claims of an OAuth caller's access token. The token itself is not passed on. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** The user's value, or the action that the user took instead. */
export type ElicitReply<Value> =
  { readonly action: 'accept'; readonly value: Value } | { readonly action: 'decline' | 'cancel' };

/** Types of input to ask a user for. A `password` is never asked for in a form: see {@link ToolContext.elicit}. */
export type InputType =
  | SimpleType
  | 'password'
  | {
      /** A form of several fields, by name. */
      readonly fields: Readonly<Record<string, FormField>>;
    };

/** A field of a form. The client shows its title and its description, and offers the default. */
export type FormField = {
  readonly title?: string;
  readonly description?: string;
  /** The user may leave it out; its value is then undefined. */
  readonly isOptional?: boolean;
} & (
  | { readonly type: 'number'; readonly default?: number }
  | { readonly type: 'boolean'; readonly default?: boolean }
  | { readonly type: Exclude<SimpleType, 'number' | 'boolean'>; readonly default?: string }
);

type SimpleType =
  | 'text'
  | 'number'
  | 'boolean'
  | 'email'
  | 'date'
  | { readonly choice: readonly [string, ...string[]] };

/**
 * An opaque handle to a secret that a caller entered on the secret page. A tool passes it as the `secret` of an
 * upstream request, and calls `credentials.keep` once the service has accepted it. Only the store that created the
 * handle can read the secret.
 */
export class GivenSecret {
  // A private member makes the class nominal: no structurally equal object is assignable to it.
  declare private readonly isSecret: true;
}

/** Receives secrets from callers. It has no method that returns them. */
export interface SecretStore {
  /**
   * Stores a secret and returns a handle that is valid for this caller only. The caller's current credential stays.
   *
   * @throws ToolError if the secret is not valid in an HTTP header, so that the user is asked again.
   */
  receive(caller: Caller, secret: string): GivenSecret;
}

export type InputValue<Type extends InputType> = Type extends 'number'
  ? number
  : Type extends 'boolean'
    ? boolean
    : Type extends 'password'
      ? GivenSecret
      : Type extends { readonly choice: readonly (infer Choice)[] }
        ? Choice
        : Type extends { readonly fields: infer Fields }
          ? { readonly [Name in keyof Fields]: FieldValue<Fields[Name]> }
          : string;

type FieldValue<Field> = Field extends { readonly type: infer Type extends SimpleType }
  ? InputValue<Type> | (Field extends { readonly isOptional: true } ? undefined : never)
  : never;

/** The contents of a resource: text, or bytes in base64. */
export type ResourceContents = {
  readonly uri: string;
  readonly mimeType?: string;
} & (
  | { readonly text: string; readonly blob?: undefined }
  | { readonly blob: string; readonly text?: undefined }
);

/**
 * Durations of a call. A class, because the hidden class of an object literal changes when an integer property
 * becomes a double.
 */
export class CallTiming {
  /** Total time in upstream requests, in milliseconds. The upstream client adds to it. */
  upstreamMs = 0;
}

export interface ToolContext<State = unknown> {
  /** Aborts when the caller cancels or disconnects. Created on first access. */
  readonly signal: AbortSignal;
  /**
   * The same cancellation as {@link signal}, but cheaper: for the upstream client and other code that runs in every
   * call.
   */
  readonly cancellation: Cancellation;
  /** Absent if timings are not recorded. */
  readonly timing?: CallTiming | undefined;
  readonly caller: Caller;
  /** The server's name, `{service}_mcp`. */
  readonly serverName: string;
  /**
   * A key for the writes of this call, the same each time the handler runs: it can run again after a question. A
   * call with several writes appends a suffix to tell them apart.
   */
  readonly idempotencyKey: string;
  /** The state that the service created at startup, valid until shutdown (`lifespan_state`). */
  readonly lifespanState: State;
  /**
   * Reports progress. Sent only if the caller requested it and `progress` increased, at most a few times a second,
   * and never after the result. A message is truncated at 1,000 characters.
   *
   * @param progress The amount done so far, in any unit that increases.
   * @param total In the same unit, if known.
   */
  reportProgress(progress: number, message?: string, total?: number): Promise<void>;
  /**
   * Reports that the call is waiting, and why: in the log, and as a progress notification with a negligible
   * increase. The upstream client calls this for each of its waits.
   */
  reportPause(message: string, data?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Logs to the caller, at the level that it chose, and to stderr. Secrets in `data` are redacted. */
  logDebug(message: string, data?: Readonly<Record<string, unknown>>): Promise<void>;
  logInfo(message: string, data?: Readonly<Record<string, unknown>>): Promise<void>;
  logError(message: string, data?: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Asks the user for input. A `password` is entered on a page of this server; the tool receives a handle, never
   * the value. It becomes the caller's credential only when the tool calls `credentials.keep`.
   *
   * With clients of MCP 2026-07-28, a question ends the run, and the answer starts the handler again from its
   * beginning, which repeats whatever it did before the question. Ask before you write, or write with {@link
   * idempotencyKey}.
   *
   * @throws ToolError if the client does not support the question (the message names an alternative), or if the
   *   handler has already written to the service without an idempotency key.
   */
  elicit<const Type extends InputType>(
    prompt: string,
    inputType: Type,
  ): Promise<ElicitReply<InputValue<Type>>>;
  /** @throws ToolError if the resource does not exist. */
  readResource(uri: string): Promise<readonly ResourceContents[]>;
  /**
   * Records a write. The upstream client calls this before each request that is not a read.
   *
   * @returns A function to call once the write succeeded (with a status from 200 to 299) or failed.
   * @throws ToolError if the request must not be sent.
   */
  noteWrite(idempotencyKey: string | undefined): (hasSucceeded: boolean) => void;
  /** Whether this call has changed anything: an error text then warns against repeating the call. */
  readonly written: Written;
}

/** The part of the tool context that an upstream request needs. */
export type UpstreamCall = Pick<ToolContext, 'cancellation' | 'caller' | 'timing'> &
  Partial<Pick<ToolContext, 'reportPause' | 'noteWrite'>>;
