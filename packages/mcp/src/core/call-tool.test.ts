import { describe, expect, test, vi } from 'vitest';
import { callSearch, call, registered, search } from '../../test/doubles/search-tool.ts';
import { toolContext } from '../testing/tool-context-double.ts';
import { callTool } from './call-tool.ts';
import {
  ToolError,
  ToolOutputError,
  UpstreamStatusError,
  UpstreamTimeoutError,
} from './result/errors.ts';
import { line } from './result/markdown.ts';
import { pageOf } from './result/pagination.ts';

const unwritable = (): never => {
  throw new RangeError('x');
};

describe('results', () => {
  test('[M11 M12] are Markdown unless JSON is requested', async () => {
    const result = await call({ query: 'ada', size: 1 });
    expect(result.text).toBe(`Found 1, showing 1\n- Person ${'x'.repeat(20)} 0 (u0)`);
    const explicit = await call({ query: 'ada', size: 1, response_format: 'markdown' });
    expect(explicit).toEqual(result);
  });

  test('[M13 M27] are the complete structured output as JSON', async () => {
    const { text, structured } = await call({ query: 'ada', response_format: 'json' });
    expect(text).toBe(JSON.stringify(structured));
    expect(Object.keys(structured ?? {})).toEqual(Object.keys(search.output.shape));
    expect(structured).toMatchObject({ total: 3, count: 3, next_offset: null });
  });

  test('[M15] mention the next page in Markdown', async () => {
    const { text } = await call({ query: 'ada', size: 50, offset: 20 });
    expect(text).toMatch(/\n\nMore results: offset 40\.$/);
  });

  test('[M16 M32] are one sentence in either format if they are empty, and still have their data', async () => {
    for (const response_format of ['markdown', 'json']) {
      const result = await call({ query: ' "ada" ', size: 0, response_format });
      expect(result.text).toBe(`No users found matching '"ada"'`);
      expect(result.structured).toMatchObject({ total: 0, users: [], has_more: false });
      expect(result.isError).toBe(false);
    }
  });

  test('[M27] that do not match the output model are not returned', async () => {
    const page = pageOf({ total: 1, count: 1, offset: 0 });
    for (const given of [
      { ...page, users: [{ id: 1, name: 'x' }] },
      { ...page, users: [{ id: 'u1', name: 'x', password: 'hunter2' }] },
      { ...page, users: [], secret: 'hunter2' },
      undefined,
    ]) {
      const onUnexpected = vi.fn();
      const handler = (): Promise<unknown> => Promise.resolve(given);
      expect(await call({ query: 'ada' }, { onUnexpected }, registered({ handler }))).toEqual({
        text: 'Error: Unexpected error occurred: ToolOutputError',
        isError: true,
      });
      expect(onUnexpected).toHaveBeenCalledWith(expect.any(ToolOutputError));
    }
  });
});

describe('failures', () => {
  test.each<[Error, string, number]>([
    [new UpstreamStatusError(404), 'Error: Resource not found. Please check the ID is correct.', 0],
    [new UpstreamTimeoutError('x'), 'Error: Request timed out. Please try again.', 0],
    [new ToolError('Name it otherwise.'), 'Error: Name it otherwise.', 0],
    [new RangeError('at /srv/app/secret.ts'), 'Error: Unexpected error occurred: RangeError', 1],
  ])('[M32 M33] %s is returned as text', async (error, text, reports) => {
    const onUnexpected = vi.fn();
    const asynchronous = registered({ handler: () => Promise.reject(error) });
    const synchronous = registered({
      handler() {
        throw error;
      },
    });
    for (const failing of [asynchronous, synchronous]) {
      expect(await call({ query: 'ada' }, { onUnexpected }, failing)).toEqual({
        text,
        isError: true,
      });
    }
    expect(onUnexpected).toHaveBeenCalledTimes(2 * reports);
  });

  test('[M32] in the tool’s own `markdown` are text too', async () => {
    const markdown = (): string => {
      throw new TypeError('x');
    };
    expect(await call({ query: 'ada' }, {}, registered({ markdown }))).toEqual({
      text: 'Error: Unexpected error occurred: TypeError',
      isError: true,
    });
  });

  test('[M32] in the tool’s own `links` are text too', async () => {
    const onUnexpected = vi.fn();
    const links = (): never => {
      throw new TypeError('x');
    };
    expect(await call({ query: 'ada' }, { onUnexpected }, registered({ links }))).toEqual({
      text: 'Error: Unexpected error occurred: TypeError',
      isError: true,
    });
    expect(onUnexpected).toHaveBeenCalledOnce();
  });

  test.each<[string, object, string]>([
    ['output', { handler: () => Promise.resolve(undefined) }, 'ToolOutputError'],
    ['text', { markdown: () => unwritable() }, 'RangeError'],
    ['links', { links: () => unwritable() }, 'RangeError'],
  ])('[M32] of a write’s %s state that the write is done', async (_, changes, name) => {
    const annotations = { ...search.annotations, readOnlyHint: false };
    expect(await call({ query: 'ada' }, {}, registered({ ...changes, annotations }))).toEqual({
      text: `Error: It is done, do not call this again. But: Unexpected error occurred: ${name}`,
      isError: true,
    });
  });

  test('[M32] of a write itself do not state that it is done', async () => {
    const annotations = { ...search.annotations, readOnlyHint: false };
    const handler = () => Promise.reject(new RangeError('x'));
    const { text } = await call({ query: 'ada' }, {}, registered({ handler, annotations }));
    expect(text).toBe('Error: Unexpected error occurred: RangeError');
  });

  test('are not reported after the caller has cancelled', async () => {
    const gone = new AbortController();
    const onUnexpected = vi.fn();
    const markdown = vi.fn(() => line``);
    for (const ends of [() => Promise.reject(new Error('aborted')), callSearch]) {
      const handler = (...given: Parameters<typeof callSearch>): Promise<unknown> => {
        gone.abort(new Error('cancelled by the caller'));
        return ends(...given);
      };
      const leaving = registered({ handler, markdown });
      const context = toolContext({ signal: gone.signal });
      const called = callTool(leaving, { query: 'ada' }, context, { onUnexpected });
      await expect(called).rejects.toThrow('cancelled by the caller');
    }
    expect(onUnexpected).not.toHaveBeenCalled();
    expect(markdown).not.toHaveBeenCalled();
  });
});
