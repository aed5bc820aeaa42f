/** Starts the example service for development: `EXAMPLE_SERVICE_PORT`, `EXAMPLE_API_TOKEN`. */
import { z } from 'zod';
import { parseSettingsOf, SettingError } from '../../../src/env.ts';
import { wholeNumber } from '../../../src/setting-values.ts';
import { developmentToken, startExampleService } from './api.ts';

const settings = z.object({
  EXAMPLE_SERVICE_PORT: wholeNumber(0, 65_535).default(4010),
  EXAMPLE_API_TOKEN: z.string().default(developmentToken),
});

try {
  const { EXAMPLE_SERVICE_PORT: port, EXAMPLE_API_TOKEN: token } = parseSettingsOf(settings);
  const service = await startExampleService({ port, token, requestsPerSecond: 200 });
  console.log(`Example service: ${service.url}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void service.close());
  }
} catch (error) {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  let reason = 'The example service did not start.';
  if (error instanceof SettingError) reason = error.message;
  else if (isTaken) reason = 'EXAMPLE_SERVICE_PORT names a port that another program has taken.';
  console.error(reason);
  process.exitCode = 1;
}
