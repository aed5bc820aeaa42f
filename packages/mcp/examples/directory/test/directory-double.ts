/** Calls the tools and resources with the running example service, without a transport. For tests. */
import { startService, type ServiceDouble } from '@gatehouse/mcp/testing/service-double';
import { startExampleService, type ExampleServiceOptions } from '../api/api.ts';
import type { ApiState } from '@gatehouse/mcp';
import directory from '../service.ts';

const serviceToken = 'test-token';

export type ExampleDouble = ServiceDouble<ApiState>;

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
  return startService(directory, {
    EXAMPLE_API_BASE_URL: baseUrl,
    EXAMPLE_API_TOKEN: token,
    EXAMPLE_API_TIMEOUT_MS: String(timeoutMs),
  });
}

/** Returns its definition, for a server. */
export function exampleService(baseUrl: string, token: string) {
  return directory.createService({
    EXAMPLE_API_BASE_URL: baseUrl,
    EXAMPLE_API_TOKEN: token,
    EXAMPLE_API_TIMEOUT_MS: 30_000,
  });
}
