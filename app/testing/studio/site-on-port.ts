/** The whole site behind its own listener, for tests that need a real connection. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createListener } from '@gatehouse/server';
import { afterAll } from 'vitest';
import { site as options } from '~/server/site';
import type { TestSite } from '../whole-site';

/** Call once at the top of a test file that mocks the log. Returns the site's address. */
export async function listen(site: TestSite): Promise<string> {
  const server = createServer(
    createListener({
      ...options,
      match: site.match,
      env: options.settings(),
      assets: (_request, _response, next) => {
        next();
      },
      isReady: () => true,
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
