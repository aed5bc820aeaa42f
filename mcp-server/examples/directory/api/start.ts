/** Starts the example service for development: `EXAMPLE_SERVICE_PORT`, `EXAMPLE_API_TOKEN`. */
import { developmentToken } from '../settings.ts';
import { startExampleService } from './api.ts';

const port = Number(process.env['EXAMPLE_SERVICE_PORT'] ?? 4010);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error('EXAMPLE_SERVICE_PORT must be a port number.');
  process.exit(1);
}

try {
  const service = await startExampleService({
    port,
    token: process.env['EXAMPLE_API_TOKEN'] ?? developmentToken,
    requestsPerSecond: 200,
  });
  console.log(`Example service: ${service.url}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void service.close());
  }
} catch (error) {
  const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  console.error(
    taken
      ? `Port ${port} is taken. Set EXAMPLE_SERVICE_PORT.`
      : 'The example service did not start.',
  );
  process.exitCode = 1;
}
