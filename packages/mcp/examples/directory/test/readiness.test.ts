/** `/readyz` with the directory service: a load balancer must not route to a server whose every call would fail. */
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../../test/doubles/http-server.ts';
import { startExampleService } from '../api/api.ts';
import { exampleService } from './directory-double.ts';

test.each([
  ['the-right-token', 200],
  ['another-token-here', 503],
])('with the token %s the status is %i [M31]', async (token, status) => {
  const api = await startExampleService({ token: 'the-right-token' });
  onTestFinished(() => api.close());
  const { url } = await startServer({
    service: exampleService(api.url, token),
  });
  expect((await fetch(new URL('/readyz', url))).status).toBe(status);
});
