import { expect, test } from 'vitest';
import { z } from 'zod';
import { call, withoutList } from '../../test/doubles/search-tool.ts';
import { image, withMedia } from './result/media.ts';
import { line } from './result/markdown.ts';

const picture = image(new Uint8Array(100), 'image/png');

function pictured(output: unknown, changes: object = {}) {
  return withoutList({
    output: z.strictObject({ name: z.string() }),
    handler: () => Promise.resolve(withMedia(output, picture)),
    markdown: () => line`A picture`,
    ...changes,
  });
}

test('media are returned beside a result, whose data match the output model [M27]', async () => {
  const result = await call({ query: 'ada' }, {}, pictured({ name: 'a' }));
  expect(result).toEqual({
    text: 'A picture',
    structured: { name: 'a' },
    media: [picture],
    isError: false,
  });
  const wrong = await call({ query: 'ada' }, {}, pictured({ other: 'a' }));
  expect(wrong).toEqual({
    text: 'Error: Unexpected error occurred: ToolOutputError',
    isError: true,
  });
});

test('media over the limit are an error with advice; after a write, the error states that the change was made', async () => {
  const limit = { mediaBytes: 99 };
  const { text, media } = await call({ query: 'ada' }, limit, pictured({ name: 'a' }));
  expect(text).toMatch(
    /^Error: The result is too large: 100 bytes, and 99 are the most\. Narrow it/,
  );
  expect(media).toBeUndefined();
  const writes = { annotations: { ...pictured({}).annotations, readOnlyHint: false } };
  const done = await call({ query: 'ada' }, limit, pictured({ name: 'a' }, writes));
  expect(done.text).toMatch(/^Error: It is done, but the result is too large: 100 bytes/);
});
