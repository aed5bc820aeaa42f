/** Calls the tools and resources with the running example service, without a transport. For tests. */
import { startService, type ServiceDouble } from '@gatehouse/mcp/testing/service-double';
import { startExampleService, type ExampleServiceOptions } from '../api/api.ts';
import { createExampleService } from '../service.ts';
import type { ExampleState } from '../state.ts';

const serviceToken = 'test-token';

export type ExampleDouble = ServiceDouble<ExampleState>;

/** Starts it with its own example service. */
export async function startExample(
  options: Partial<ExampleServiceOptions> = {},
): Promise<ExampleDouble & { readonly url: string }> {
  const service = await startExampleService({ token: serviceToken, exportStepMs: 1, ...options });
  const double = await againstUpstream(service.url);
  return {
    ...double,
    url: service.url,
    async close() {
      await double.close();
      await service.close();
    },
  };
}

/** Starts it with any upstream. */
export function againstUpstream(
  baseUrl: string,
  { token = serviceToken, timeoutMs = 30_000 } = {},
): Promise<ExampleDouble> {
  return startService(createExampleService({ baseUrl, token, timeoutMs }));
}
