/** How pages are sent, and which errors are logged: a visitor who disconnects is not one. */
import { Await, useLoaderData } from '@remix-run/react';
import { Suspense } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { lines, logged } from '../../testing/log-double.ts';
import { requestSite, createSmallSite } from '../../../test/small-site.tsx';

vi.mock('../../log.ts', () => import('../../testing/log-double.ts'));

const never = new Promise<string>(() => undefined);
let late: Promise<string> = never;
let shown = (): void => undefined;

const site = createSmallSite({
  '': { loader: () => ({ words: 'all there' }), default: () => <p>the home page</p> },
  slow: {
    loader: () => ({ words: late }),
    default: function Slow() {
      const { words } = useLoaderData<{ words: Promise<string> }>();
      shown();
      return (
        <Suspense fallback="on its way">
          <Await resolve={words}>{(text) => <p>{text}</p>}</Await>
        </Suspense>
      );
    },
  },
  waiting: {
    loader: ({ request }: { request: Request }) =>
      new Promise((_, reject) => {
        shown();
        request.signal.addEventListener('abort', () => {
          reject(request.signal.reason as Error);
        });
      }),
    default: () => null,
  },
  broken: {
    default: () => {
      shown();
      throw new Error('canary');
    },
  },
});

beforeEach(() => {
  lines.length = 0;
  late = never;
  shown = () => undefined;
});

/** Waits until everything that was started has been logged. */
const settled = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
};

test('a page with all of its data is one document, without scripts that move content', async () => {
  const html = await (await requestSite(site, '/')).text();
  expect(html).toMatch(/streamController\.close\(\);<\/script><!--\/\$-->(<!--\/\$-->)*$/);
  expect(html).not.toMatch(/<template|\$RC/);
});

test('a page with deferred data is streamed', async () => {
  let settle: (words: string) => void = () => undefined;
  late = new Promise((resolve) => (settle = resolve));
  const reader = (await requestSite(site, '/slow')).body
    ?.pipeThrough(new TextDecoderStream())
    .getReader();
  let html = '';
  while (!html.includes('on its way')) html += (await reader?.read())?.value ?? '';
  expect(html).not.toContain('later words');
  settle('later words');
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    html += part.value;
  }
  expect(html).toContain('<p>later words</p>');
  expect(html).toContain('$RC');
});

test('a disconnect while a page streams logs no error', async () => {
  const visitor = new AbortController();
  const page = await requestSite(site, '/slow', { signal: visitor.signal });
  const reader = page.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('on its way');
  visitor.abort();
  await reader?.cancel();
  await settled();
  expect(logged()).toEqual([]);
});

test.each(['/waiting', '/waiting.data', '/slow', '/slow.data', '/broken'])(
  'a disconnect while %s is prepared logs no error',
  async (path) => {
    const visitor = new AbortController();
    shown = () => {
      visitor.abort();
    };
    if (path === '/slow.data') visitor.abort();
    const page = await requestSite(site, path, { signal: visitor.signal }).catch(() => null);
    await page?.body?.cancel();
    await settled();
    expect(logged()).toEqual([]);
  },
);

test('a failure while a page is prepared or streamed is logged', async () => {
  await (await requestSite(site, '/broken')).text();
  expect(logged()).toHaveLength(1);
  late = new Promise((_, reject) =>
    setImmediate(() => {
      reject(new Error('canary'));
    }),
  );
  // It may fail before the page has requested it.
  late.catch(() => undefined);
  await (await requestSite(site, '/slow')).text();
  expect(JSON.stringify(logged())).toContain('canary');
});
