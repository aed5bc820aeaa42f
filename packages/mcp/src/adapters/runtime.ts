/** What all connections of a process share. Created once, before the first call. */
import { resultLimits, type ResultLimits } from '../core/call-tool.ts';
import { checkOnce } from '../core/definition/conventions.ts';
import type { Log } from '../core/context/log.ts';
import { createRegistry, type Registry } from '../core/definition/registry/registry.ts';
import type { SecretStore } from '../core/context/tool-context.ts';
import { countComposed } from '../core/result/text-length.ts';
import { RunningCalls } from '../core/context/running-calls.ts';
import type {
  ResourceDefinition,
  ServiceDefinition,
} from '../core/definition/service-definition.ts';
import { selectTools, type ToolSelection } from '../core/definition/registry/select-tools.ts';
import { compileUriTemplate, type UriTemplate } from '../core/definition/uri-template.ts';
import { writeAccessLine } from './calls/access-line.ts';
import { composed, ofService, type AroundCall } from './calls/call-hooks.ts';
import type { Extension } from './connection.ts';
import { Subscriptions } from './modern/subscriptions.ts';

export interface Limits extends ResultLimits {
  /** Time to answer a question or fill in a secret page, in milliseconds. */
  readonly elicitationMs: number;
  /** Maximum number of concurrent subscriptions. */
  readonly subscriptions: number;
}

const defaultLimits: Limits = {
  elicitationMs: 5 * 60_000,
  ...resultLimits,
  subscriptions: 1_000,
};

const cleanUpMilliseconds = 1_000;

export interface Runtime {
  readonly service: ServiceDefinition;
  /** The package's version, for `serverInfo`. */
  readonly version: string;
  readonly registry: Registry;
  /** The service's resources with their compiled templates. */
  readonly resources: readonly { definition: ResourceDefinition; template: UriTemplate }[];
  /** The service's lifespan state (M26). */
  readonly state: unknown;
  /** Receives the secrets of callers. Absent if the service stores none. */
  readonly credentials: SecretStore | undefined;
  readonly log: Log;
  /** The composed hooks around each tool call. */
  readonly around: AroundCall;
  readonly limits: Limits;
  readonly extension: Extension | undefined;
  readonly subscriptions: Subscriptions;
  /** Calls in progress, counted by the dispatchers. */
  readonly running: RunningCalls;
  /** Whether the upstream is ready. Never rejects. */
  isReady(signal: AbortSignal): Promise<boolean>;
  /** Ends the lifespan. Aborted calls get a moment to clean up, including in the upstream. */
  stop(): Promise<void>;
}

export interface RuntimeOptions {
  readonly service: ServiceDefinition;
  readonly version: string;
  readonly log: Log;
  readonly limits?: Partial<Limits>;
  /** Default: every tool. */
  readonly toolSelection?: ToolSelection;
  readonly extension?: Extension;
  /** Further hooks around each call: inside the access log, outside the service's own. */
  readonly hooks?: readonly AroundCall[];
}

type Definition = Pick<Runtime, 'service' | 'registry' | 'resources'>;

/**
 * Validates the part of a service that is enabled. Does not start it.
 *
 * @throws Error with one sentence if the definition violates a rule or the selection names an unknown tool.
 */
export function definitionOf(whole: ServiceDefinition, selection: ToolSelection = {}): Definition {
  const service = { ...whole, tools: selectTools(whole.tools, selection) };
  const registry = createRegistry(service);
  registerPrompts(service.prompts);
  checkOnce(
    'Resource',
    service.resources.map(({ uri }) => uri),
  );
  const resources = service.resources.map((definition) => ({
    definition,
    template: compileUriTemplate(definition.uri),
  }));
  return { service, registry, resources };
}

/** Validates the names. Arguments are counted as those of tools are. */
function registerPrompts(prompts: ServiceDefinition['prompts']): void {
  checkOnce(
    'Prompt',
    prompts.map(({ name }) => name),
  );
  for (const prompt of prompts) countComposed(prompt.arguments);
}

/**
 * Validates the service's definition and starts it.
 *
 * @throws Error with one sentence if the definition violates a rule or the service cannot start.
 */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { version, log, toolSelection } = options;
  const { service, registry, resources } = definitionOf(options.service, toolSelection);
  const lifespan = await service.start();
  const running = new RunningCalls();
  const limits = { ...defaultLimits, ...options.limits };
  return {
    service,
    version,
    registry,
    resources,
    state: lifespan.state,
    credentials: lifespan.credentials,
    log,
    around: composed([
      writeAccessLine(log),
      ...(options.hooks ?? []),
      ...(service.around ? [ofService(service.around.bind(service), log)] : []),
    ]),
    limits,
    extension: options.extension,
    subscriptions: new Subscriptions(lifespan.changes, limits.subscriptions),
    running,
    isReady: (signal) => lifespan.isReady(signal).catch(() => false),
    async stop() {
      await running.finished(cleanUpMilliseconds);
      await lifespan.stop();
    },
  };
}
