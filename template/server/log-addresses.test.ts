/** The log entries of a failed call to the platform. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { configureLog, describeError } from '@gatehouse/server/log';
import { createUpstream, PlatformSdkError } from '@gatehouse/platform/server';
import { site } from '~/server/site';

test('no logged error contains the platform’s address, however it was resolved', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  vi.stubEnv('PLATFORM_INTERNAL_URL', `http://localhost:${port}`);
  configureLog(site.settings());

  const failure: unknown = await createUpstream(() => `http://localhost:${port}`)
    .open({ path: '/x', maxBytes: 1 })
    .catch((error: unknown) => error);
  const error = new PlatformSdkError(502, 'upstream_unavailable', { cause: failure });
  const text = JSON.stringify([describeError(failure), describeError(error)]);
  expect(text).toContain('ECONNREFUSED');
  expect(text).not.toMatch(new RegExp(`localhost|127\\.0\\.0\\.1|::1|${port}`));
});
