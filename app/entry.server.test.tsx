import { Await, useLoaderData } from '@remix-run/react';
import { Suspense } from 'react';
import { expect, test } from 'vitest';
import { startPlatformDouble } from '~/testing/upstream-double';
import { startSite } from '~/testing/whole-site';

await startPlatformDouble();

let settle: (words: string) => void = () => undefined;
const site = await startSite({
  late: {
    loader: () => ({ words: new Promise<string>((resolve) => (settle = resolve)) }),
    default: function Late() {
      const { words } = useLoaderData<{ words: Promise<string> }>();
      return (
        <Suspense fallback="not yet">
          <Await resolve={words}>{(said) => <b>{said}</b>}</Await>
        </Suspense>
      );
    },
  },
});

test('a page whose data is all there is one document, with nothing to be moved into it', async () => {
  const html = await (await site.ask('/')).text();
  expect(html).toMatch(/streamController\.close\(\);<\/script><!--\/\$-->(<!--\/\$-->)*$/);
  expect(html).not.toMatch(/<template|\$RC/);
});

test('a page whose data comes later streams', async () => {
  const reader = (await site.ask('/late')).body?.pipeThrough(new TextDecoderStream()).getReader();
  let html = '';
  while (!html.includes('not yet')) html += (await reader?.read())?.value ?? '';
  expect(html).not.toContain('later words');
  settle('later words');
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    html += part.value;
  }
  expect(html).toContain('<b>later words</b>');
  expect(html).toContain('$RC');
});
