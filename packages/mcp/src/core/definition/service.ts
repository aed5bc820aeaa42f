/** How an author writes a service, its resources and its prompts. */
import type { z } from 'zod';
import type { ApiState } from '../upstream/api.ts';
import type { ResourceContent } from '../context/resource-contents.ts';
import type {
  Lifespan,
  PromptArguments,
  PromptDefinition,
  PromptText,
  ResourceDefinition,
  Service,
  ServiceDefinition,
} from './service-definition.ts';
import type { ToolDefinition } from './tool-definition.ts';

type Tools<State> = readonly ToolDefinition<State>[];

export interface ServiceSpec<Settings extends z.ZodType, State> extends Pick<
  ServiceDefinition<State>,
  'name' | 'title' | 'instructions' | 'around' | 'credentialVariable'
> {
  /** The service's own environment variables, by name. */
  readonly settings: Settings;
  /** Its tools; as a function, those that these settings turn on. */
  readonly tools: Tools<NoInfer<State>> | ((settings: z.output<Settings>) => Tools<NoInfer<State>>);
  readonly resources?: readonly ResourceDefinition<NoInfer<State>>[];
  readonly prompts?: readonly PromptDefinition<NoInfer<State>>[];
  /** Called once at startup, before the first call (M26). For a service around one API: `api({ … })`. */
  start(settings: z.output<Settings>): Promise<Lifespan<State>> | Lifespan<State>;
}

/** Makes the service: the default export of `service.ts`, which `serve` runs. */
export function service<Settings extends z.ZodType, State>({
  settings,
  tools,
  resources = [],
  prompts = [],
  ...rest
}: ServiceSpec<Settings, State>): Service<Settings, State> {
  return {
    settings,
    createService: (given) => ({
      ...rest,
      tools: typeof tools === 'function' ? tools(given) : tools,
      resources,
      prompts,
      start: () => rest.start(given),
    }),
    hasToolsBySettings: typeof tools === 'function',
  };
}

/** Makes a resource. A misspelt variable of its URI does not compile. */
export function resource<
  const Uri extends string,
  Content extends ResourceContent,
  State = ApiState,
>(definition: ResourceDefinition<State, Uri, Content>): ResourceDefinition<State, Uri, Content> {
  return definition;
}

/** Makes a prompt. */
export function prompt<
  Arguments extends PromptArguments,
  Rendered extends PromptText | Promise<PromptText>,
  State = ApiState,
>(
  definition: PromptDefinition<State, Arguments, Rendered>,
): PromptDefinition<State, Arguments, Rendered> {
  return definition;
}
