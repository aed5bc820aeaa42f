/** The reference tool (M16, M17). */
import { z } from 'zod';
import {
  blocks,
  defineTool,
  limit,
  line,
  lines,
  nameWithId,
  offset,
  pageOf,
  pageShape,
  path,
  responseFormat,
  shaped,
  type ToolContext,
} from '@gatehouse/mcp';
import type { ExampleState } from '../state.ts';

const user = z.strictObject({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  team: z.string().optional(),
});

const found = z.object({
  users: z.array(z.object({ ...user.shape, team: z.string().nullish() })).default([]),
  total: z.int().min(0).default(0),
});

export const searchUsers = defineTool({
  name: 'example_search_users',
  annotations: {
    title: 'Search users',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
  toolsets: ['people'],
  input: z.strictObject({
    query: z.string().trim().min(2).max(200).describe('Part of a name, an email or a team.'),
    limit,
    offset,
    response_format: responseFormat,
  }),
  output: z.strictObject(pageShape('users', user)),
  documentation: {
    purpose: 'Finds people of the company by name, email or team.',
    whenToUse: ['"Who is Ada in Billing?"', 'Another tool needs the ID of a person.'],
    whenNotToUse: [
      'You have the ID: use example_get_user_profile.',
      'The user wants a file of everybody, or of a team: use example_export_directory.',
    ],
    returns: 'One page of people. team names every team of a person: "Billing, Web".',
    errors: ["No match is no error: No users found matching '<query>'."],
    examples: ['{"query":"ada"}', '{"query":"billing","limit":50,"response_format":"json"}'],
  },
  list: 'users',
  async handler(args, context: ToolContext<ExampleState>) {
    const { query: q, limit: most, offset: passed } = args;
    const query = { q, limit: most, offset: passed };
    const { upstream } = context.lifespanState;
    const response = shaped(found, await upstream.request(path`/users/search`, { query }, context));
    // Explicit fields: an object created with a rest pattern is slow to create, validate and serialize.
    const users = response.users
      .slice(0, most)
      .map(({ id, name, email, team }) => ({ id, name, email, ...(team && { team }) }));
    return { ...pageOf({ total: response.total, count: users.length, offset: passed }), users };
  },
  // A page past the last one is empty as well, but does not mean that nobody matches.
  empty: ({ count, total }, { query }) =>
    count === 0 && total === 0 ? `No users found matching '${query}'` : undefined,
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
