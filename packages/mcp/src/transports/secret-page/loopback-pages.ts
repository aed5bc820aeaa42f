/** Secret pages for a process without an HTTP server: a loopback port that is open only while a page is. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createSecretPages, type HostedSecretPages } from './secret-page.ts';

export function createLoopbackPages(
  title: string,
  lifetimeMs?: number,
): Pick<HostedSecretPages, 'open' | 'find' | 'close'> {
  let listener: Promise<{ server: Server; origin: string }> | undefined;

  const pages = createSecretPages({
    title,
    ...(lifetimeMs !== undefined && { lifetimeMs }),
    async origin() {
      listener ??= listen(pages);
      return (await listener).origin;
    },
    onEmpty() {
      const closing = listener;
      listener = undefined;
      void closing?.then(
        ({ server }) => server.close(),
        () => undefined,
      );
    },
  });
  return pages;
}

async function listen(pages: HostedSecretPages): Promise<{ server: Server; origin: string }> {
  const server = createServer((request, response) => {
    response.setHeader('connection', 'close');
    // Protection against DNS rebinding: no other name than the given address is accepted.
    if (request.headers.host !== new URL(origin).host) {
      response.writeHead(421).end();
      return;
    }
    pages.handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { server, origin };
}
