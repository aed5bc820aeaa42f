/** The definition of a wrapped service: everything that its MCP server consists of. */
import type { z } from 'zod';
import type { Changes } from '../context/changes.ts';
import type { ResourceContent } from '../context/resource-contents.ts';
import type { ResourceContents, SecretStore, ToolContext } from '../context/tool-context.ts';
import type { Media } from '../result/media.ts';
import type { CallOutcome, ToolCall } from './around.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** The variables of a URI template: `name` of `file://documents/{name}`. */
export type VariableOf<Template extends string> = string extends Template
  ? string
  : Template extends `${string}{${infer Name}}${infer Rest}`
    ? Name | VariableOf<Rest>
    : never;

/** A resource is read by the variables of its URI template. Use a tool for anything else (contract, section 4). */
export interface ResourceDefinition<
  State = unknown,
  Template extends string = string,
  Content extends ResourceContent = ResourceContent,
> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** A URI, or a template of one (RFC 6570, level 1): `file://documents/{name}`. A variable never matches `/`. */
  readonly uri: Template;
  readonly mimeType: string;
  /** How long a client may cache the contents and the list for its own user. Default: 0. */
  readonly ttlMs?: number;
  /**
   * Returns the text or the bytes. `variables` are decoded once. Throw an upstream error or a ToolError if there is
   * no such resource.
   */
  read(
    variables: Readonly<Record<VariableOf<Template>, string>>,
    context: ResourceContext<State>,
  ): Promise<Content>;
  /** Completes one variable: returns the values that start with the given text. The first hundred are sent. */
  complete?(
    variable: VariableOf<Template>,
    typed: string,
    context: ResourceContext<State>,
  ): Promise<readonly string[]>;
  /** Lists the resources whose URIs are known in advance, for `resources/list`. */
  list?(context: ResourceContext<State>): Promise<readonly ListedResource[]>;
}

export type ResourceContext<State = unknown> = Pick<
  ToolContext<State>,
  'signal' | 'cancellation' | 'timing' | 'caller' | 'serverName' | 'lifespanState'
>;

export interface ListedResource extends Pick<ResourceContents, 'uri'> {
  readonly name: string;
  readonly title?: string;
}

/** Strict, with string fields only, as the protocol requires. */
export type PromptArguments = z.ZodObject<
  Record<string, z.ZodType<string | undefined, string | undefined>>,
  z.core.$strict
>;

/** The context that a prompt receives with its arguments. */
export type PromptContext<State = unknown> = ResourceContext<State> &
  Pick<ToolContext<State>, 'readResource'>;

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string | Media;
}

/** A single user message, or a conversation. */
export type PromptText = string | readonly PromptMessage[];

export interface PromptDefinition<
  State = unknown,
  Arguments extends PromptArguments = PromptArguments,
  Rendered extends PromptText | Promise<PromptText> = PromptText | Promise<PromptText>,
> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: Arguments;
  render(args: Readonly<z.output<Arguments>>, context: PromptContext<State>): Rendered;
  /** Completes one argument: returns the values that start with the given text. */
  complete?(
    argument: Extract<keyof z.output<Arguments>, string>,
    typed: string,
    context: ResourceContext<State>,
  ): readonly string[] | Promise<readonly string[]>;
}

export interface ServiceDefinition<State = unknown> {
  /** `{service}_mcp` (M01, M35). */
  readonly name: string;
  readonly title: string;
  /** How to use the tools together. The model reads it once, at the start. */
  readonly instructions: string;

  readonly tools: readonly ToolDefinition<State>[];
  readonly resources: readonly ResourceDefinition<State>[];
  readonly prompts: readonly PromptDefinition<NoInfer<State>>[];
  /**
   * Runs around each tool call, over any transport: for audit and policy. An error thrown before `next()` rejects
   * the call; the model reads the message of a ToolError. The arguments are not validated yet.
   *
   * @param next Runs the call. Rejects only if the caller is gone, or if the client does not support a question
   *   that the tool asks.
   * @returns The outcome of `next()`, unchanged: any other would not match the tool's output model.
   */
  around?(call: ToolCall<State>, next: () => Promise<CallOutcome>): Promise<CallOutcome>;
  /**
   * The environment variable that holds the upstream's credential. The error text names it if a secret cannot be
   * asked for (M30).
   */
  readonly credentialVariable?: string;
  /** Called once at startup, before the first call (M26). */
  start(): Promise<Lifespan<State>> | Lifespan<State>;
}

/** A service and its settings: what `service.ts` of an author's folder exports, made by `service()`. */
export interface Service<Settings extends z.ZodType = z.ZodType, State = unknown> {
  /** The service's own environment variables, by name. */
  readonly settings: Settings;
  createService(settings: z.output<Settings>): ServiceDefinition<State>;
  /** Whether its tools depend on its settings. */
  readonly hasToolsBySettings?: boolean;
}

/** The result of `start()`: the state, a readiness check, and how to stop the service. */
export interface Lifespan<State> {
  readonly state: State;
  /** For `/readyz`. Resolves to false or rejects if the upstream is not ready. */
  isReady(signal: AbortSignal): Promise<boolean>;
  /** Receives the secrets that callers enter (M30). If absent, `password` cannot be asked for. */
  readonly credentials?: SecretStore;
  /** Publishes changes of resources for subscriptions (MCP 2026-07-28). If absent, clients cannot subscribe. */
  readonly changes?: Changes;
  stop(): Promise<void>;
}
