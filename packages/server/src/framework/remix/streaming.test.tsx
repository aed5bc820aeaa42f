/** A page with late data, through the listener and the compressor: its shell is sent first. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Await, useLoaderData } from '@remix-run/react';
import { Suspense } from 'react';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { isResource, settings } from '../../testing/listening-site.ts';
import { createSmallSite } from '../../../test/small-site.tsx';
import { createListener } from '../../listener/listener.ts';
import { remix } from './index.ts';

vi.mock('../../log.ts', () => import('../../testing/log-double.ts'));

let tell: (words: string) => void;
let late: Promise<string>;
beforeEach(() => {
  late = new Promise((resolve) => (tell = resolve));
});

function Late() {
  const { words } = useLoaderData<{ words: Promise<string> }>();
  return (
    <Suspense fallback="the shell">
      <Await resolve={words}>{(value) => <p>{value}</p>}</Await>
    </Suspense>
  );
}

const site = createSmallSite({
  late: { default: Late, loader: () => ({ words: late }) },
});
const server = createServer(
  createListener({
    ...site,
    env: settings,
    framework: remix,
    isResource,
    hasCheckedIdentity: () => false,
    assets: (_request, _response, next) => {
      next();
    },
    isReady: () => true,
  }),
);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
afterAll(() => server.close());

/** Reads until the text has arrived. */
async function readTo(words: string, body: ReadableStreamDefaultReader<string>): Promise<string> {
  let heard = '';
  while (!heard.includes(words)) {
    const { done, value } = await body.read();
    if (done) throw new Error(`The page ended without ${words}: ${heard}`);
    heard += value;
  }
  return heard;
}

test.each(['br', 'gzip', 'deflate', 'identity'])(
  'its shell arrives before its data, encoded as %s',
  async (encoding) => {
    const response = await fetch(`http://127.0.0.1:${port}/late`, {
      headers: { 'accept-encoding': encoding },
    });
    expect(response.headers.get('content-encoding')).toBe(
      encoding === 'identity' ? null : encoding,
    );
    const body = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    if (!body) throw new Error('no body');
    expect(await readTo('the shell', body)).not.toContain('late words');
    tell('late words');
    await readTo('late words', body);
  },
);

test('the data of a client navigation is streamed, too', async () => {
  const response = await fetch(`http://127.0.0.1:${port}/late.data`, {
    headers: { 'accept-encoding': 'br' },
  });
  const body = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!body) throw new Error('no body');
  expect(await readTo('words', body)).not.toContain('late words');
  tell('late words');
  await readTo('late words', body);
});
