import { expect, test } from 'vitest';
import { z } from 'zod';
import { connectClient } from '../../../test/doubles/connected-client.ts';
import {
  createProbeService,
  plantedSecret,
  type ProbeState,
} from '../../../test/probes/probe-service.ts';
import type { ResourceDefinition } from '../../core/definition/service-definition.ts';

test('[M19 M20] a resource is read through its template', async () => {
  const { client } = await connectClient();
  const uri = 'note://notes/a%20b';
  expect(await client.readResource({ uri })).toEqual({
    contents: [{ uri, mimeType: 'text/plain', text: 'The note a b.' }],
  });
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates).toEqual([
    {
      name: 'note',
      title: 'Notes',
      description: 'A note by its name.',
      uriTemplate: 'note://notes/{name}',
      mimeType: 'text/plain',
    },
    {
      name: 'picture',
      title: 'Pictures',
      description: 'A picture, or what else has its name.',
      uriTemplate: 'picture://pictures/{name}',
      mimeType: 'image/png',
    },
  ]);
});

test.each([
  ['missing', -32002, 'Resource not found'],
  ['tool', -32002, 'Ask for less.'],
  ['status', -32603, 'API request failed with status 503'],
  ['timeout', -32603, 'Request timed out. Please try again.'],
  ['unexpected', -32603, 'Unexpected error occurred: RangeError'],
])(
  '[M32] an error while reading a resource (%s) exposes only its error text',
  async (name, code, text) => {
    const { client } = await connectClient();
    const error: unknown = await client
      .readResource({ uri: `note://notes/${name}` })
      .catch((e: unknown) => e);
    expect(error).toMatchObject({ code, message: `MCP error ${code}: ${text}` });
    expect(JSON.stringify(error)).not.toContain(plantedSecret);
  },
);

test('[M32] a resource’s errors are logged like a tool’s: only those without a row in the error table', async () => {
  const { client, logged } = await connectClient();
  for (const name of ['status', 'timeout', 'unexpected']) {
    await client.readResource({ uri: `note://notes/${name}` }).catch(() => undefined);
    await client.callTool({ name: 'probe_throw_error', arguments: { text: name } });
  }
  const errors = logged.map((line) => JSON.parse(line) as { level: string; msg: string });
  expect(errors.filter(({ level }) => level === 'error').map(({ msg }) => msg)).toEqual([
    'A resource failed unexpectedly',
    'A tool failed unexpectedly',
  ]);
});

test.each([
  ['text', 'note://notes/äbc', '14 bytes'],
  ['bytes', 'picture://pictures/a', '4 bytes'],
  ['text with a type of its own', 'picture://pictures/text', '7 bytes'],
])(
  '[M19 M32] a resource over the limit for media is an error that says so: %s',
  async (_, uri, size) => {
    const { client, logged } = await connectClient({ limits: { mediaBytes: 3 } });
    const text = `The resource is too large: ${size}, and 3 are the most.`;
    await expect(client.readResource({ uri })).rejects.toThrow(`MCP error -32603: ${text}`);
    // What a tool reads is not sent.
    const args = { text: uri };
    const { isError } = await client.callTool({ name: 'probe_read_note', arguments: args });
    expect(isError).toBeUndefined();
    expect(logged.join('')).not.toContain('unexpectedly');
  },
);

test('[M25 M32] a prompt that reads a resource over the limit is an error that says so', async () => {
  const { client } = await connectClient({ limits: { mediaBytes: 3 } });
  const pending = client.getPrompt({ name: 'discuss_note', arguments: { name: 'äbc' } });
  await expect(pending).rejects.toThrow(
    'MCP error -32603: The resource is too large: 14 bytes, and 3 are the most.',
  );
});

test('resources are listed in pages of one hundred', async () => {
  const { client } = await connectClient();
  const first = await client.listResources();
  const second = await client.listResources({ cursor: first.nextCursor });
  expect(first.resources).toHaveLength(100);
  expect(second.resources).toHaveLength(50);
  expect(second.nextCursor).toBeUndefined();
  expect(second.resources[0]).toEqual({
    uri: 'note://notes/n100',
    name: 'n100',
    mimeType: 'text/plain',
  });
});

test('prompts are listed with their arguments, and rendered', async () => {
  const { client } = await connectClient();
  const { prompts } = await client.listPrompts();
  expect(prompts).toEqual([
    {
      name: 'greet',
      title: 'Greet',
      description: 'Greets somebody.',
      arguments: [
        { name: 'who', description: 'Whom.', required: true },
        { name: 'how', required: false },
        { name: 'tone', required: false },
      ],
    },
    {
      name: 'discuss_note',
      title: 'Discuss a note',
      description: 'Discusses a note, with its picture.',
      arguments: [{ name: 'name', description: 'Which.', required: true }],
    },
  ]);
  const prompt = await client.getPrompt({ name: 'greet', arguments: { who: 'Ada' } });
  expect(prompt.messages).toEqual([
    { role: 'user', content: { type: 'text', text: 'Hello, Ada!' } },
  ]);
});

test.each([
  [{}, 'who: Required'],
  [{ who: 'x'.repeat(51) }, 'who: Too big: expected string to have <=50 characters'],
  [{ who: 'Ada', how: 7 }, 'how: Invalid input: expected string, received number'],
  [{ who: 'Ada', tone: 'shy' }, 'tone: Invalid option: expected one of "warm"|"cold"'],
  ['Ada', 'Invalid input: expected object, received string'],
])(
  'arguments that a prompt rejects (%#) are listed, each with its problem',
  async (args, problem) => {
    const { client } = await connectClient();
    const params = { name: 'greet', arguments: args };
    const pending = client.request({ method: 'prompts/get', params }, z.looseObject({}));
    const error = { code: -32602, message: `MCP error -32602: Invalid arguments.\n- ${problem}` };
    await expect(pending).rejects.toMatchObject(error);
  },
);

test('[M32] an error that a prompt throws is logged, and not sent to the client', async () => {
  const { client, logged } = await connectClient();
  const pending = client.getPrompt({ name: 'greet', arguments: { who: 'nobody' } });
  await expect(pending).rejects.toThrow(/^MCP error -32603: Internal error$/);
  expect(logged.join('')).toContain('A request failed');
});

test('completion returns the first hundred values', async () => {
  const { client } = await connectClient();
  const complete = async (
    ref: Parameters<typeof client.complete>[0]['ref'],
    name: string,
    value: string,
  ) => (await client.complete({ ref, argument: { name, value } })).completion;
  const note = { type: 'ref/resource', uri: 'note://notes/{name}' } as const;
  const greet = { type: 'ref/prompt', name: 'greet' } as const;
  const all = await complete(note, 'name', '');
  expect(all).toMatchObject({ total: 150, hasMore: true });
  expect(all.values).toHaveLength(100);
  expect(await complete(note, 'name', 'n14')).toMatchObject({ total: 11, hasMore: false });
  expect((await complete(greet, 'who', 'A')).values).toEqual(['Ada']);
});

test('unknown arguments and variables have no completions', async () => {
  const { client } = await connectClient();
  for (const ref of [
    { type: 'ref/prompt', name: 'greet' },
    { type: 'ref/resource', uri: 'note://notes/{name}' },
  ] as const) {
    for (const name of ['other', 'constructor', '']) {
      const { completion } = await client.complete({ ref, argument: { name, value: '' } });
      expect(completion).toEqual({ values: [], total: 0, hasMore: false });
    }
  }
});

test('[M32] an error that a completion throws at once exposes only its error text', async () => {
  const { client } = await connectClient();
  const ref = { type: 'ref/resource', uri: 'note://notes/{name}' } as const;
  await expect(client.complete({ ref, argument: { name: 'name', value: 'bad' } })).rejects.toThrow(
    /^MCP error -32603: API request failed with status 503$/,
  );
});

test('a resource without variables is listed by itself, and is no template [M19]', async () => {
  const service = createProbeService();
  const fixed: ResourceDefinition<ProbeState> = {
    name: 'motto',
    title: 'Motto',
    description: 'The motto.',
    uri: 'probe://motto',
    mimeType: 'text/plain',
    read: () => Promise.resolve('Probe with care.'),
  };
  const { client } = await connectClient({ service: { ...service, resources: [fixed] } });
  const listed = { name: 'motto', title: 'Motto', description: 'The motto.', uri: 'probe://motto' };
  expect((await client.listResources()).resources).toEqual([{ ...listed, mimeType: 'text/plain' }]);
  expect((await client.listResourceTemplates()).resourceTemplates).toEqual([]);
  expect((await client.readResource({ uri: 'probe://motto' })).contents).toMatchObject([
    { text: 'Probe with care.' },
  ]);
});
