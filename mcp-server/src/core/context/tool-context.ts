/** What a tool is given beside its arguments (M21 to M26). The adapter makes one for each call. */
import type { Cancellation } from './cancellation.ts';

/**
 * Who is calling: `local` over stdio and on loopback, `bearer`, `bearer:<name>` of a token with a name, or an OAuth
 * subject with its issuer.
 */
export interface Caller {
  readonly id: string;
  /** Of a token with a name: what people call them. */
  readonly name?: string;
  /** What an OAuth caller's access token was granted. */
  readonly scopes?: readonly string[];
  /** What an OAuth caller's access token says, checked. The token itself goes no further. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** A value of its own input type, or what the user did instead of giving one. */
export type ElicitAnswer<Value> =
  { readonly action: 'accept'; readonly value: Value } | { readonly action: 'decline' | 'cancel' };

/** What may be asked of a user. A `password` is never a form: see {@link ToolContext.elicit}. */
export type InputType =
  | 'text'
  | 'number'
  | 'boolean'
  | 'email'
  | 'date'
  | 'password'
  | { readonly choice: readonly [string, ...string[]] };

/**
 * A secret that a caller gave on a page. A tool tries it, as the `secret` of an upstream request, and has the
 * credentials keep it once the service took it. Nobody can read it here: only the store that made it knows it.
 */
export class GivenSecret {
  // A private member makes the type its own: no other object is one.
  declare private readonly isSecret: true;
}

/** Takes what callers give. It is not read back through this. */
export interface SecretStore {
  /**
   * The secret as a tool is given it, good for nobody but this caller. What was kept before stays.
   *
   * @throws ToolError when no header could carry it: the person is asked for another.
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
        : string;

/** A resource as it was read: its text, or its bytes in base64. */
export type ResourceContents = {
  readonly uri: string;
  readonly mimeType?: string;
} & (
  | { readonly text: string; readonly blob?: undefined }
  | { readonly blob: string; readonly text?: undefined }
);

/** Where a call's time went. A class: a literal's hidden class changes when its whole number becomes a fraction. */
export class CallTiming {
  /** Milliseconds in the upstream, in sum: its client adds to it. */
  upstreamMs = 0;
}

export interface ToolContext<State = unknown> {
  /** Aborts when the caller cancels or goes away. Made when it is read. */
  readonly signal: AbortSignal;
  /** The same at less cost: for the upstream client, and all that every call passes. */
  readonly cancellation: Cancellation;
  /** Absent where nobody reads it. */
  readonly timing?: CallTiming | undefined;
  readonly caller: Caller;
  /** The server's name, `{service}_mcp`. */
  readonly serverName: string;
  /**
   * For what this call writes: the same in each run of its handler, which may begin again after a question. A
   * call that writes more than once puts a word of its own behind it.
   */
  readonly idempotencyKey: string;
  /** Made when the server started, alive until it stops (`lifespan_state`). */
  readonly lifespanState: State;
  /**
   * Tells how far the call is. Sent only to a caller who asked, only when `progress` grew, a few times
   * a second at most, and never after the result.
   *
   * @param progress Done so far, in any unit that grows.
   * @param total The same unit, when it is known.
   */
  reportProgress(progress: number, message?: string, total?: number): Promise<void>;
  /**
   * Says that the call waits, and for what: in the log, and as progress that counts as next to nothing. The
   * upstream client says so of each wait of its own.
   */
  reportPause(message: string, data?: Readonly<Record<string, unknown>>): Promise<void>;
  /** To the caller, who chose a level, and to stderr. Secrets in `data` are redacted. */
  logDebug(message: string, data?: Readonly<Record<string, unknown>>): Promise<void>;
  logInfo(message: string, data?: Readonly<Record<string, unknown>>): Promise<void>;
  logError(message: string, data?: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Asks the user. A `password` is asked on a page of this server; the tool learns that it was given, never
   * the value. It is the credential of no call before the tool has it kept.
   *
   * With clients of MCP 2026-07-28 a question ends the run, and with the answer the handler begins again: what it
   * did before the question it does twice. Ask before you write, or write under {@link idempotencyKey}.
   *
   * @throws ToolError when the client cannot ask, with what to do instead; when something was written to the
   *   service before, without an idempotency key.
   */
  elicit<const Type extends InputType>(
    prompt: string,
    inputType: Type,
  ): Promise<ElicitAnswer<InputValue<Type>>>;
  /** @throws ToolError when there is no such resource. */
  readResource(uri: string): Promise<readonly ResourceContents[]>;
  /**
   * The upstream client says so of each request that is no GET, before it is sent.
   *
   * @throws ToolError when it must not be sent.
   */
  noteWrite(idempotencyKey: string | undefined): void;
}

/** What a request of the upstream needs of its tool's context. */
export type UpstreamCall = Pick<ToolContext, 'cancellation' | 'caller' | 'timing'> &
  Partial<Pick<ToolContext, 'reportPause' | 'noteWrite'>>;
