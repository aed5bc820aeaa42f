/** A wrapped service: all that an MCP server for it is made of. */
import type { z } from 'zod';
import type { Changes } from '../context/changes.ts';
import type { ResourceContent } from '../context/resource-contents.ts';
import type { ResourceContents, SecretStore, ToolContext } from '../context/tool-context.ts';
import type { Media } from '../result/media.ts';
import type { CallOutcome, ToolCall } from './around.ts';
import type { StrictObject, ToolDefinition } from './define-tool.ts';

/** `name` of `file://documents/{name}`. */
type VariableOf<Template extends string> = string extends Template
  ? string
  : Template extends `${string}{${infer Name}}${infer Rest}`
    ? Name | VariableOf<Rest>
    : never;

/** Resources are read by a URI template's variables; tools do what needs more (contract, section 4). */
export interface ResourceDefinition<
  State = unknown,
  Template extends string = string,
  Content extends ResourceContent = ResourceContent,
> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** RFC 6570, level 1: `file://documents/{name}`. A variable never matches `/`. */
  readonly uriTemplate: Template;
  readonly mimeType: string;
  /** For how long a client may keep what it was given, and the list of it, for its own user. 0. */
  readonly ttlMs?: number;
  /** The text or the bytes. `variables` are decoded once. Throw an upstream error or a ToolError when there is none. */
  read(
    variables: Readonly<Record<VariableOf<Template>, string>>,
    context: ResourceContext<State>,
  ): Promise<Content>;
  /** Values of one variable that begin with what was typed; the first hundred are sent. */
  complete?(
    variable: VariableOf<Template>,
    typed: string,
    context: ResourceContext<State>,
  ): Promise<readonly string[]>;
  /** Resources that can be named without a template, for `resources/list`. */
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

/** Strings only, as the protocol has it; strict. */
type PromptArguments = z.ZodObject<
  Record<string, z.ZodType<string | undefined, string | undefined>>,
  z.core.$strict
>;

/** What a prompt is given beside its arguments. */
export type PromptContext<State = unknown> = ResourceContext<State> &
  Pick<ToolContext<State>, 'readResource'>;

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string | Media;
}

/** One text of the user's, or a conversation. */
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
  /** Values of one argument that begin with what was typed. */
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
  /** How the tools belong together: read by the model once, at the start. */
  readonly instructions: string;

  readonly tools: readonly ToolDefinition<StrictObject, StrictObject, State>[];
  readonly resources: readonly ResourceDefinition<State>[];
  readonly prompts: readonly PromptDefinition<NoInfer<State>>[];
  /**
   * Runs around each call of a tool, over any transport: for audit and policy. What it throws before `next()`
   * refuses the call, a ToolError in its own words; the arguments are not parsed yet.
   *
   * @param next The call itself. It rejects only when the caller is gone, or cannot be asked what the tool must ask.
   * @returns What `next()` gave, unchanged: an outcome of another making would not be as the tool's model says.
   */
  around?(call: ToolCall<State>, next: () => Promise<CallOutcome>): Promise<CallOutcome>;
  /** The environment variable that holds the upstream's credential: named where a secret cannot be asked for (M30). */
  readonly credentialVariable?: string;
  /** Made once at start, before the first call (M26). */
  start(): Promise<Lifespan<State>> | Lifespan<State>;
}

/** What the `service.ts` of a folder in `src/services/` exports as its default. */
export interface WrappedService<Settings extends z.ZodType = z.ZodType> {
  /** The service's own environment variables, by their names. */
  readonly settings: Settings;
  createService(settings: z.output<Settings>): ServiceDefinition;
}

/** What a start gave: the state, whether its upstream can be reached, and how to end it. */
export interface Lifespan<State> {
  readonly state: State;
  /** For `/readyz`. Rejects or gives false when the upstream cannot be reached. */
  isReady(signal: AbortSignal): Promise<boolean>;
  /** Where a secret goes that a caller gave (M30). Without it none is asked for. */
  readonly credentials?: SecretStore;
  /** Tells of changes in resources, for clients that subscribe (MCP 2026-07-28). Without it there is nothing to subscribe to. */
  readonly changes?: Changes;
  stop(): Promise<void>;
}

/** Keeps a template, the variables that are read, and the state together: a misspelt one does not compile. */
export function defineResource<
  State,
  const Template extends string,
  Content extends ResourceContent,
>(
  definition: ResourceDefinition<State, Template, Content>,
): ResourceDefinition<State, Template, Content> {
  return definition;
}

/** Keeps a prompt's arguments and its text together. */
export function definePrompt<
  State,
  Arguments extends PromptArguments,
  Rendered extends PromptText | Promise<PromptText>,
>(
  definition: PromptDefinition<State, Arguments, Rendered>,
): PromptDefinition<State, Arguments, Rendered> {
  return definition;
}

/** Keeps a service's state type together. */
export function defineService<State>(
  definition: ServiceDefinition<State>,
): ServiceDefinition<State> {
  return definition;
}

/** Keeps the settings and the service that is made of them together. */
export function wrapService<Settings extends z.ZodType>(
  service: WrappedService<Settings>,
): WrappedService<Settings> {
  return service;
}
