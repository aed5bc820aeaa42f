/** A service with an upstream, for tests of the layers between a service's API and its clients. */
import { z } from 'zod';
import type { ToolContext } from '../../src/core/context/tool-context.ts';
import {
  type ResourceContext,
  type Service,
  type ServiceDefinition,
} from '../../src/core/definition/service-definition.ts';
import { prompt, resource } from '../../src/core/definition/service.ts';
import { reads, tool, writes } from '../../src/core/definition/tool.ts';
import { blocks, line, lines, nameWithId } from '../../src/core/result/markdown.ts';
import { page } from '../../src/core/result/pagination.ts';
import { createUpstream } from '../../src/core/upstream/client.ts';
import type { ApiState } from '../../src/core/upstream/api.ts';
import { shaped } from '../../src/core/upstream/response/shaped.ts';
import { createCredentials } from '../../src/core/upstream/credentials.ts';
import { path } from '../../src/core/upstream/path.ts';

type State = ApiState;

const documentation = {
  whenToUse: ['In tests.'],
  whenNotToUse: ['Elsewhere.'],
  returns: 'What the upstream gave.',
};

const user = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  team: z.string().optional(),
});
const found = page('users', user);

const searchUsers = tool({
  name: 'probe_search_users',
  annotations: reads('Search users'),
  toolsets: ['people'],
  input: {
    query: z.string().trim().min(2).max(200).describe('Part of a name, an email or a team.'),
  },
  output: found,
  ...documentation,
  purpose: 'Finds people by name, email or team.',
  async handler({ query: q, limit, offset }, context) {
    const query = { q, limit, offset };
    const { upstream } = context.lifespanState;
    return shaped(found, await upstream.request(path`/users/search`, { query }, context));
  },
  empty: (_, { query }) => `No users found matching '${query}'`,
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

const createProject = tool({
  name: 'probe_create_project',
  annotations: writes('Create a project'),
  toolsets: ['projects'],
  input: {
    name: z.string().trim().min(1).max(100).describe('Its name.'),
    tags: z.array(z.string().trim().min(1).max(50)).max(10).default([]).describe('Words for it.'),
  },
  output: project,
  ...documentation,
  purpose: 'Creates a project.',
  async handler(body, context: ToolContext<State>) {
    const { upstream } = context.lifespanState;
    const request = { method: 'POST', body } as const;
    return shaped(project, await upstream.request(path`/projects`, request, context));
  },
  markdown: ({ id, name }) => line`# Created ${nameWithId(name, id)}`,
});

const readProject = tool({
  name: 'probe_read_project',
  annotations: reads('Read a project'),
  toolsets: ['projects'],
  input: {
    id: z.string().trim().min(1).max(50).describe('Its ID.'),
  },
  output: project,
  ...documentation,
  purpose: 'Reads a project.',
  async handler({ id }, context: ToolContext<State>) {
    const { upstream } = context.lifespanState;
    return shaped(project, await upstream.request(path`/projects/${id}`, {}, context));
  },
  markdown: ({ id, name }) => line`# ${nameWithId(name, id)}`,
});

const connectAccount = tool({
  name: 'probe_connect_account',
  annotations: writes('Connect an account'),
  output: z.strictObject({ connected: z.boolean() }),
  ...documentation,
  purpose: 'Lets the user give their own token.',
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

const askAround = prompt({
  name: 'ask_around',
  title: 'Ask around',
  description: 'Asks somebody.',
  arguments: z.strictObject({}),
  render: () => 'Ask somebody.',
});

const documents = resource({
  name: 'documents',
  title: 'Document',
  description: 'A document by its name.',
  uri: 'file://documents/{name}',
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

const settingValues = resource({
  name: 'settings',
  title: 'Setting',
  description: 'A setting by its key.',
  uri: 'config://settings/{key}',
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
  return {
    name: 'probe_mcp',
    title: 'Probe',
    instructions: 'For tests.',
    tools: [searchUsers, createProject, readProject, connectAccount],
    resources: [documents, settingValues],
    prompts: [askAround],
    credentialVariable: 'PROBE_API_TOKEN',
    start() {
      const credentials = createCredentials(token);
      const upstream = createUpstream({ baseUrl, timeoutMs, credentials });
      return {
        state: { upstream, credentials },
        credentials,
        isReady: (signal) => upstream.isReady(path`/`, signal),
        stop: () => upstream.close(),
      };
    },
  };
}

const settings = z.object({
  PROBE_API_BASE_URL: z.url().default('http://127.0.0.1:1').describe('Whom it asks.'),
  PROBE_API_TOKEN: z.string().default('none').describe('Its token.'),
  PROBE_API_TIMEOUT_MS: z.coerce.number().default(30_000).describe('For a call.'),
});

export const upstreamProbe: Service<typeof settings, State> = {
  settings,
  createService: (given) =>
    createUpstreamProbe({
      baseUrl: given.PROBE_API_BASE_URL,
      token: given.PROBE_API_TOKEN,
      timeoutMs: given.PROBE_API_TIMEOUT_MS,
    }),
};
