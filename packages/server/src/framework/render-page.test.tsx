/** The bytes of a page. */
import { expect, test } from 'vitest';
import { renderPage } from './render-page.ts';

test.each(['é', '€', '😀'])(
  'a character at the end of a chunk of React’s is whole, and nothing is added to it: %s',
  async (letter) => {
    const words = letter.repeat(600 / letter.length);
    for (let before = 0; before < 4; before += 1) {
      const page = (
        <p title={'x'.repeat(before)}>
          {'x'.repeat(600)}
          {'x'.repeat(600)}
          {words}
        </p>
      );
      const body = await renderPage(page, { requestId: 'r1' }, new AbortController().signal);
      const text = await new Response(body).text();
      expect(text).toContain(words);
      expect(text).not.toContain('\0');
    }
  },
);
