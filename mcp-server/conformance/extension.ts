/** What the suite calls for beyond the core: its own names, content that is no text, subscriptions. */
import type {
  CallToolResult,
  ContentBlock,
  GetPromptResult,
  ListToolsResult,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Call, Extension, Handler, Connection } from '../src/adapters/connection.ts';
import { getPrompt } from '../src/adapters/methods/prompts.ts';
import { parseParams } from '../src/adapters/protocol-error.ts';
import { readResource } from '../src/adapters/methods/resources.ts';
import { callNamedTool, listTools } from '../src/adapters/methods/tools.ts';
import type { Mode } from './modes.ts';

/** Names that the suite fixes and the conventions refuse, with the names under which the core has them. */
const coreNames = new Map([
  ['test_sampling', 'test_request_sampling'],
  ['test_elicitation', 'test_elicit_profile'],
  ['test_elicitation_sep1034_defaults', 'test_elicit_defaults'],
  ['test_elicitation_sep1330_enums', 'test_elicit_enums'],
  ['test_reconnection', 'test_close_stream'],
  ['json_schema_2020_12_tool', 'test_describe_person'],
]);
const suiteNames = new Map([...coreNames].map(([suite, core]) => [core, suite]));

/** One red pixel. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** 44 bytes of header and no sample. */
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const image = { type: 'image', data: png, mimeType: 'image/png' } as const;
const resource = (uri: string, mimeType: string, text: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text } }) as const;

const contents: Readonly<Record<string, readonly ContentBlock[]>> = {
  test_image_content: [image],
  test_audio_content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }],
  test_embedded_resource: [
    resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ],
  test_multiple_content_types: [
    image,
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
};

const named = z.looseObject({ name: z.string() });
const addressed = z.object({ uri: z.string() });

const list: Handler = async (params, call) => {
  const { tools } = (await listTools(params, call)) as ListToolsResult;
  return {
    tools: tools.map((tool) => ({
      ...tool,
      name: suiteNames.get(tool.name) ?? tool.name,
      // The core leaves the dialect out, since every revision takes its schemas in either.
      inputSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema', ...tool.inputSchema },
    })),
  };
};

const callTool: Handler = async (params, call) => {
  const given = parseParams(named, params);
  const name = coreNames.get(given.name) ?? given.name;
  const result = (await callNamedTool({ ...given, name }, call)) as CallToolResult;
  return { ...result, content: [...result.content, ...(contents[name] ?? [])] };
};

const read: Handler = async (params, call) => {
  const result = await readResource(params, call);
  const { uri } = parseParams(addressed, params);
  if (uri !== 'test://static-binary') return result;
  return { contents: [{ uri, mimeType: 'image/png', blob: png }] };
};

const prompt: Handler = async (params, call) => {
  const result = (await getPrompt(params, call)) as GetPromptResult;
  const { name, arguments: args } = parseParams(named, params);
  const { resourceUri = '' } = (args ?? {}) as { resourceUri?: string };
  const first = {
    test_prompt_with_embedded_resource: resource(
      resourceUri,
      'text/plain',
      'Embedded resource content for testing.',
    ),
    test_prompt_with_image: image,
  }[name];
  if (!first) return result;
  return { ...result, messages: [{ role: 'user', content: first }, ...result.messages] };
};

/** By connection: a session's end takes its subscriptions along. */
const subscriptions = new WeakMap<Connection, Set<string>>();

function subscribedBy({ connection }: Call): Set<string> {
  const known = subscriptions.get(connection) ?? new Set();
  subscriptions.set(connection, known);
  return known;
}

const subscribe: Handler = async (params, call) => {
  // Refuses what cannot be read.
  await readResource(params, call);
  subscribedBy(call).add(parseParams(addressed, params).uri);
  return {};
};

const unsubscribe: Handler = (params, call) => {
  subscribedBy(call).delete(parseParams(addressed, params).uri);
  return {};
};

const handlers = [
  ['tools/list', list],
  ['tools/call', callTool],
  ['resources/read', read],
  ['prompts/get', prompt],
] as const;

export function extensionFor(mode: Mode): Extension {
  if (mode === 'stateless') return { capabilities: {}, handlers: new Map(handlers) };
  return {
    capabilities: { resources: { subscribe: true } },
    handlers: new Map<string, Handler>([
      ...handlers,
      ['resources/subscribe', subscribe],
      ['resources/unsubscribe', unsubscribe],
    ]),
  };
}
