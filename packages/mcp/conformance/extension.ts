/** What the suite requires beyond the core: its own names, and subscriptions. */
import type { ListToolsResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Call, Extension, Handler, Connection } from '../src/adapters/connection.ts';
import { metaKeys } from '../src/adapters/modern/envelope.ts';
import { codes, parseParams, ProtocolError } from '../src/adapters/protocol-error.ts';
import { readResource } from '../src/adapters/methods/resources.ts';
import { callNamedTool, listTools } from '../src/adapters/methods/tools.ts';
import type { Mode } from './modes.ts';

/** Names that the suite requires and the conventions reject, mapped to the names in the core. */
const coreNames = new Map([
  ['test_sampling', 'test_request_sampling'],
  ['test_elicitation', 'test_elicit_profile'],
  ['test_elicitation_sep1034_defaults', 'test_elicit_defaults'],
  ['test_elicitation_sep1330_enums', 'test_elicit_enums'],
  ['test_reconnection', 'test_close_stream'],
  ['json_schema_2020_12_tool', 'test_describe_person'],
]);
const suiteNames = new Map([...coreNames].map(([suite, core]) => [core, suite]));

const named = z.looseObject({
  name: z.string(),
  _meta: z.record(z.string(), z.unknown()).optional(),
});
const addressed = z.object({ uri: z.string() });

const list: Handler = async (params, call) => {
  const { tools } = (await listTools(params, call)) as ListToolsResult;
  return {
    tools: tools.map((tool) => ({
      ...tool,
      name: suiteNames.get(tool.name) ?? tool.name,
      // The core omits the dialect, because its schemas have the same meaning in every revision's default dialect.
      inputSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema', ...tool.inputSchema },
    })),
  };
};

const callTool: Handler = (params, call) => {
  const given = parseParams(named, params);
  // The suite's own tool needs sampling; a service's tools use elicitation, with the same error if it is missing.
  if (call.states && given.name === 'test_missing_capability' && !canSample(given)) {
    const data = { requiredCapabilities: { sampling: {} } };
    throw new ProtocolError(codes.missingCapability, 'It takes sampling', data, 400);
  }
  return callNamedTool({ ...given, name: coreNames.get(given.name) ?? given.name }, call);
};

function canSample({ _meta }: z.output<typeof named>): boolean {
  const capabilities = _meta?.[metaKeys.clientCapabilities] as { sampling?: unknown } | undefined;
  return capabilities?.sampling !== undefined;
}

/** By connection, so that a session's subscriptions end with it. */
const subscriptions = new WeakMap<Connection, Set<string>>();

function subscribedBy({ connection }: Call): Set<string> {
  const known = subscriptions.get(connection) ?? new Set();
  subscriptions.set(connection, known);
  return known;
}

const subscribe: Handler = async (params, call) => {
  // Rejects an unknown resource.
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
