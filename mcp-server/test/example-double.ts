/** The example service, really running, and the contexts that its tools and resources are given. */
import { startExampleService, type ExampleServiceOptions } from '../example-service/service.ts';
import type { ElicitAnswer, InputType, ToolContext } from '../src/core/context.ts';
import { createExampleService } from '../src/example/service.ts';
import type { ExampleState } from '../src/example/state.ts';

export const exampleToken = 'test-token';

export interface ContextOptions {
  readonly signal?: AbortSignal;
  readonly caller?: string;
  /** What the user does when asked. Without it, asking fails the test. */
  readonly onElicit?: (prompt: string, type: InputType) => ElicitAnswer<unknown>;
  readonly onProgress?: (done: number) => void;
}

export interface RecordedContext extends ToolContext<ExampleState> {
  readonly recorded: {
    readonly progress: Parameters<ToolContext['reportProgress']>[];
    readonly logs: [level: string, message: string, data: unknown][];
    readonly asked: [prompt: string, type: InputType][];
  };
}

export interface RunningExample {
  readonly url: string;
  readonly state: ExampleState;
  context(options?: ContextOptions): RecordedContext;
  close(): Promise<void>;
}

/** @param token What the MCP server uses; the service's own unless told otherwise. */
export async function startExample(
  options: Partial<ExampleServiceOptions> = {},
  token: string | undefined = exampleToken,
): Promise<RunningExample> {
  const service = await startExampleService({ token: exampleToken, exportStepMs: 1, ...options });
  return {
    url: service.url,
    ...(await againstUpstream(service.url, token, () => service.close())),
  };
}

/** The example's tools against any upstream. */
export async function againstUpstream(
  baseUrl: string,
  token: string | undefined = exampleToken,
  closeUpstream: () => Promise<void> = () => Promise.resolve(),
): Promise<Omit<RunningExample, 'url'>> {
  const example = createExampleService({ baseUrl, token, timeoutMs: 30_000 });
  const lifespan = await example.start();
  const { state } = lifespan;

  function context({
    signal = new AbortController().signal,
    caller = 'local',
    onElicit,
    onProgress,
  }: ContextOptions = {}): RecordedContext {
    const recorded: RecordedContext['recorded'] = { progress: [], logs: [], asked: [] };
    const log = (level: string) => (message: string, data?: unknown) => {
      recorded.logs.push([level, message, data]);
      return Promise.resolve();
    };
    const made: RecordedContext = {
      recorded,
      signal,
      caller: { id: caller },
      serverName: example.name,
      lifespanState: state,
      reportProgress(...reported) {
        recorded.progress.push(reported);
        onProgress?.(reported[0]);
        return Promise.resolve();
      },
      logDebug: log('debug'),
      logInfo: log('info'),
      logError: log('error'),
      elicit(prompt, type) {
        recorded.asked.push([prompt, type]);
        if (!onElicit) throw new Error(`Nobody was to be asked: ${prompt}`);
        return Promise.resolve(onElicit(prompt, type) as never);
      },
      async readResource(uri) {
        const { protocol, host, pathname } = new URL(uri);
        const resource = example.resources.find(({ uriTemplate }) =>
          uriTemplate.startsWith(`${protocol}//${host}/`),
        );
        if (!resource) throw new Error(`There is no such resource: ${uri}`);
        const value = decodeURIComponent(pathname.slice(1));
        const text = await resource.read({ name: value, key: value }, made);
        return [{ uri, mimeType: resource.mimeType, text }];
      },
    };
    return made;
  }

  return {
    state,
    context,
    async close() {
      await lifespan.stop();
      await closeUpstream();
    },
  };
}
