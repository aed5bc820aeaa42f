/** Images, audio and files as the SDK's own client receives them. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { connectClient } from '../../test/doubles/connected-client.ts';
import { createProbeService } from '../../test/probes/probe-service.ts';
import { line } from '../core/result/markdown.ts';
import { audio, file, image, withMedia } from '../core/result/media.ts';
import { contentBlockOf } from './content.ts';

const data = 'iVAA/w==';

test('media follow the text of a result, each with its own content type', async () => {
  const { client } = await connectClient();
  const { content, structuredContent } = await client.callTool({ name: 'probe_show_media' });
  expect(content).toEqual([
    { type: 'text', text: 'media' },
    { type: 'image', mimeType: 'image/png', data },
    { type: 'audio', mimeType: 'audio/wav', data },
    {
      type: 'resource',
      resource: { uri: 'probe://files/a.csv', mimeType: 'text/csv', text: 'a,b\n' },
    },
    {
      type: 'resource',
      resource: { uri: 'probe://files/a.bin', mimeType: 'application/octet-stream', blob: data },
    },
  ]);
  expect(structuredContent).toEqual({ text: 'media' });
});

test('media over the limit are rejected', async () => {
  const { client } = await connectClient({ limits: { mediaBytes: 10 } });
  const { content, isError } = await client.callTool({ name: 'probe_show_media' });
  expect(isError).toBe(true);
  expect(content).toEqual([
    { type: 'text', text: expect.stringMatching(/16 bytes, and 10 are the most/) as string },
  ]);
});

const text = { text: 'media' };
test.each<[string, object, string?]>([
  [
    'an image that is text',
    { handler: () => withMedia(text, image('text' as never, 'image/png')) },
  ],
  ['a file without content', { handler: () => withMedia(text, file('a:b', 'a/b', null as never)) }],
  ['a medium of another type', { handler: () => withMedia(text, { type: 'video' } as never) }],
  ['no medium', { handler: () => withMedia(text, undefined as never) }],
  ['links that are none', { links: () => [{ href: 'a:b' }] }],
  ['links that are no list', { links: () => ({ uri: 'a:b', name: 'a' }) }],
  ['Markdown that is no text', { markdown: () => ({ text: 5 }) }],
  [
    'a number that JSON does not have',
    {
      output: z.strictObject({ text: z.record(z.string(), z.unknown()) }),
      handler: () => ({ text: { count: 1n } }),
      markdown: () => line`media`,
    },
    'TypeError',
  ],
])(
  '%s is an error of the tool, as any other defect of a handler [M32]',
  async (_, defect, type = 'ToolOutputError') => {
    const probe = createProbeService();
    const tools = probe.tools.map((tool) =>
      tool.name === 'probe_show_media' ? { ...tool, ...defect } : tool,
    ) as typeof probe.tools;
    const { client, logged } = await connectClient({ service: { ...probe, tools } });
    const { content, isError } = await client.callTool({ name: 'probe_show_media' });
    const text = `Error: Unexpected error occurred: ${type}`;
    expect({ content, isError }).toEqual({ content: [{ type: 'text', text }], isError: true });
    expect(logged.join('')).toContain('A tool failed unexpectedly');
  },
);

test('a link keeps the fields of the protocol that a tool adds', async () => {
  const link = { uri: 'a:b', name: 'a', description: 'What it is.', size: 5 };
  const probe = createProbeService();
  // What a service says of a thing, which is not the protocol's, is left out.
  const found = { ...link, type: 'project', owner: null };
  const tools = probe.tools.map((tool) =>
    tool.name === 'probe_show_media' ? { ...tool, links: () => [found] } : tool,
  ) as typeof probe.tools;
  const { client } = await connectClient({ service: { ...probe, tools } });
  const { content } = await client.callTool({ name: 'probe_show_media' });
  expect(content).toContainEqual({ type: 'resource_link', ...link });
});

test('audio is sent as a file to clients of a revision without audio content', () => {
  const sound = audio(new Uint8Array([0x89, 0x50, 0, 0xff]), 'audio/wav');
  expect(contentBlockOf(sound, '2024-11-05')).toEqual({
    type: 'resource',
    resource: { uri: 'attachment://audio', mimeType: 'audio/wav', blob: data },
  });
  expect(contentBlockOf(sound, '2025-03-26')).toMatchObject({ type: 'audio' });
  const picture = image(new Uint8Array([1]), 'image/png');
  expect(contentBlockOf(picture, '2024-11-05')).toMatchObject({ type: 'image' });
});

test('a resource can be bytes, or have a MIME type of its own', async () => {
  const { client } = await connectClient();
  const read = async (name: string) =>
    (await client.readResource({ uri: `picture://pictures/${name}` })).contents;
  const uri = 'picture://pictures/';
  expect(await read('a')).toEqual([{ uri: `${uri}a`, mimeType: 'image/png', blob: data }]);
  expect(await read('text')).toEqual([
    { uri: `${uri}text`, mimeType: 'text/plain', text: 'A text.' },
  ]);
});

test('a prompt receives its caller and the state, reads resources, and can be a conversation', async () => {
  const { client } = await connectClient();
  const prompt = (name: string) => client.getPrompt({ name: 'discuss_note', arguments: { name } });
  const { messages } = await prompt('a');
  expect(messages).toEqual([
    { role: 'user', content: { type: 'text', text: 'ada asks of: The note a.' } },
    { role: 'user', content: { type: 'image', mimeType: 'image/png', data } },
    { role: 'assistant', content: { type: 'text', text: 'probe' } },
  ]);
  // An error with a row in the table has its text; any other appears in the log only.
  await expect(prompt('missing')).rejects.toThrow('Resource not found. Please check the ID');
  await expect(prompt('tool')).rejects.toThrow('Ask for less.');
  await expect(prompt('unexpected')).rejects.toThrow('Internal error');
  await expect(prompt('a/b')).rejects.toThrow('There is no resource note://notes/a/b.');
});

test('a prompt’s arguments are completed with its context', async () => {
  const { client } = await connectClient();
  const complete = async (value: string) => {
    const ref = { type: 'ref/prompt' as const, name: 'discuss_note' };
    return (await client.complete({ ref, argument: { name: 'name', value } })).completion.values;
  };
  expect(await complete('p')).toEqual(['probe']);
  await expect(complete('bad')).rejects.toThrow('API request failed with status 503');
});
