/** A service with an upstream, for tests of the layers between a service's API and its clients. */
import { z } from 'zod';
import type { ToolContext } from '../../src/core/context/tool-context.ts';
import {
  definePrompt,
  defineResource,
  defineService,
  wrapService,
  type ResourceContext,
  type ServiceDefinition,
} from '../../src/core/definition/define-service.ts';
import { defineTool } from '../../src/core/definition/define-tool.ts';
import { responseFormat } from '../../src/core/result/format.ts';
import { blocks, line, lines, nameWithId } from '../../src/core/result/markdown.ts';
import { limit, offset, pageOf, pageShape } from '../../src/core/result/pagination.ts';
import { createUpstream, shaped, type Upstream } from '../../src/core/upstream/client.ts';
import { createCredentials, type Credentials } from '../../src/core/upstream/credentials.ts';
import { path } from '../../src/core/upstream/path.ts';

interface State {
  readonly upstream: Upstream;
  readonly credentials: Credentials;
}

const reading = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};
const writing = { ...reading, readOnlyHint: false, idempotentHint: false };
const documentation = {
  whenToUse: ['In tests.'],
  whenNotToUse: ['Elsewhere.'],
  returns: 'What the upstream gave.',
  errors: [],
  examples: ['{}'],
};

const user = z.strictObject({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  team: z.string().optional(),
});
const found = z.object({
  users: z.array(z.object(user.shape)).default([]),
  total: z.int().min(0).default(0),
});

const searchUsers = defineTool({
  name: 'probe_search_users',
  annotations: { title: 'Search users', ...reading },
  toolsets: ['people'],
  input: z.strictObject({
    query: z.string().trim().min(2).max(200).describe('Part of a name, an email or a team.'),
    limit,
    offset,
    response_format: responseFormat,
  }),
  output: z.strictObject(pageShape('users', user)),
  documentation: { ...documentation, purpose: 'Finds people by name, email or team.' },
  list: 'users',
  async handler(args, context: ToolContext<State>) {
    const query = { q: args.query, limit: args.limit, offset: args.offset };
    const { upstream } = context.lifespanState;
    const response = shaped(found, await upstream.request(path`/users/search`, { query }, context));
    const users = response.users
      .slice(0, args.limit)
      .map(({ id, name, email, team }) => ({ id, name, email, ...(team && { team }) }));
    return {
      ...pageOf({ total: response.total, count: users.length, offset: args.offset }),
      users,
    };
  },
  empty: ({ total }, { query }) => (total === 0 ? `No users found matching '${query}'` : undefined),
  markdown: ({ total, count, users }, { query }) =>
    blocks(
      line`# User search: ${query}`,
      line`Found ${total} users (showing ${count})`,
      ...users.map(({ id, name, email, team }) =>
        lines(
          line`## ${nameWithId(name, id)}`,
          line`- **Email**: ${email}`,
          team === undefined ? undefined : line`- **Team**: ${team}`,
        ),
      ),
    ),
});

const project = z.strictObject({ id: z.string(), name: z.string() });

const createProject = defineTool({
  name: 'probe_create_project',
  annotations: { title: 'Create a project', ...writing },
  toolsets: ['projects'],
  input: z.strictObject({
    name: z.string().trim().min(1).max(100).describe('Its name.'),
    tags: z.array(z.string().trim().min(1).max(50)).max(10).default([]).describe('Words for it.'),
    response_format: responseFormat,
  }),
  output: project,
  documentation: { ...documentation, purpose: 'Creates a project.' },
  async handler(body, context: ToolContext<State>) {
    const { upstream } = context.lifespanState;
    const request = { method: 'POST', body } as const;
    return shaped(project, await upstream.request(path`/projects`, request, context));
  },
  markdown: ({ id, name }) => line`# Created ${nameWithId(name, id)}`,
});

const readProject = defineTool({
  name: 'probe_read_project',
  annotations: { title: 'Read a project', ...reading },
  toolsets: ['projects'],
  input: z.strictObject({
    id: z.string().trim().min(1).max(50).describe('Its ID.'),
    response_format: responseFormat,
  }),
  output: project,
  documentation: { ...documentation, purpose: 'Reads a project.' },
  async handler({ id }, context: ToolContext<State>) {
    const { upstream } = context.lifespanState;
    return shaped(project, await upstream.request(path`/projects/${id}`, {}, context));
  },
  markdown: ({ id, name }) => line`# ${nameWithId(name, id)}`,
});

const connectAccount = defineTool({
  name: 'probe_connect_account',
  annotations: { title: 'Connect an account', ...writing },
  input: z.strictObject({ response_format: responseFormat }),
  output: z.strictObject({ connected: z.boolean() }),
  documentation: { ...documentation, purpose: 'Lets the user give their own token.' },
  async handler(_, context: ToolContext<State>) {
    const { upstream, credentials } = context.lifespanState;
    const reply = await context.elicit('Your token', 'password');
    if (reply.action !== 'accept') return { connected: false };
    await upstream.request(path`/me`, { secret: reply.value }, context);
    credentials.keep(reply.value);
    return { connected: true };
  },
  markdown: ({ connected }) => line`# ${connected ? 'Connected' : 'Not connected'}`,
});

async function documentNames(context: ResourceContext<State>): Promise<string[]> {
  const response = await context.lifespanState.upstream.request(path`/documents`, {}, context);
  return shaped(z.object({ names: z.array(z.string()).default([]) }), response).names;
}

const askAround = definePrompt({
  name: 'ask_around',
  title: 'Ask around',
  description: 'Asks somebody.',
  arguments: z.strictObject({}),
  render: () => 'Ask somebody.',
});

const documents = defineResource({
  name: 'documents',
  title: 'Document',
  description: 'A document by its name.',
  uriTemplate: 'file://documents/{name}',
  mimeType: 'text/plain',
  async read({ name }, context: ResourceContext<State>) {
    const response = await context.lifespanState.upstream.request(
      path`/documents/${name}`,
      {},
      context,
    );
    return shaped(z.object({ text: z.string() }), response).text;
  },
  async complete(_, typed, context: ResourceContext<State>) {
    return (await documentNames(context)).filter((name) => name.startsWith(typed));
  },
  async list(context: ResourceContext<State>) {
    return (await documentNames(context)).map((name) => ({
      uri: `file://documents/${encodeURIComponent(name)}`,
      name,
    }));
  },
});

const settings = defineResource({
  name: 'settings',
  title: 'Setting',
  description: 'A setting by its key.',
  uriTemplate: 'config://settings/{key}',
  mimeType: 'application/json',
  async read({ key }, context: ResourceContext<State>) {
    const { upstream } = context.lifespanState;
    return JSON.stringify(await upstream.request(path`/settings/${key}`, {}, context));
  },
  async complete(_, typed, context: ResourceContext<State>) {
    const response = await context.lifespanState.upstream.request(path`/settings`, {}, context);
    const { keys } = shaped(z.object({ keys: z.array(z.string()).default([]) }), response);
    return keys.filter((key) => key.startsWith(typed));
  },
});

export interface UpstreamProbeOptions {
  readonly baseUrl: string;
  readonly token: string;
  readonly timeoutMs?: number;
}

export function createUpstreamProbe({
  baseUrl,
  token,
  timeoutMs = 30_000,
}: UpstreamProbeOptions): ServiceDefinition<State> {
  return defineService({
    name: 'probe_mcp',
    title: 'Probe',
    instructions: 'For tests.',
    tools: [searchUsers, createProject, readProject, connectAccount],
    resources: [documents, settings],
    prompts: [askAround],
    credentialVariable: 'PROBE_API_TOKEN',
    start() {
      const credentials = createCredentials(token);
      const upstream = createUpstream({ baseUrl, timeoutMs, credentials });
      return {
        state: { upstream, credentials },
        credentials,
        isReady: (signal) => upstream.isReachable(signal),
        stop: () => upstream.close(),
      };
    },
  });
}

export const upstreamProbe = wrapService({
  settings: z.object({
    PROBE_API_BASE_URL: z.url().default('http://127.0.0.1:1').describe('Whom it asks.'),
    PROBE_API_TOKEN: z.string().default('none').describe('Its token.'),
    PROBE_API_TIMEOUT_MS: z.coerce.number().default(30_000).describe('For a call.'),
  }),
  createService: (given) =>
    createUpstreamProbe({
      baseUrl: given.PROBE_API_BASE_URL,
      token: given.PROBE_API_TOKEN,
      timeoutMs: given.PROBE_API_TIMEOUT_MS,
    }),
});
