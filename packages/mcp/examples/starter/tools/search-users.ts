import { blocks, line, optional, page, path, reads, request, shaped, tool } from '@gatehouse/mcp';
import { z } from 'zod';

const text = z.string();
const found = page('users', z.object({ id: text, name: text, email: text, team: optional(text) }));

export const searchUsers = tool({
  name: 'example_search_users',
  annotations: reads('Search users'),
  purpose: 'Finds people of the company by name, email or team.',
  whenToUse: ['"Who is Ada in Billing?"', 'Another tool needs the ID of a person.'],
  whenNotToUse: ['You have searched for this person already.'],
  returns: 'One page of people. team names every team of a person: "Billing, Web".',
  examples: [{ query: 'ada' }, { query: 'billing', limit: 50, response_format: 'json' }],
  input: { query: text.trim().min(2).max(200).describe('Part of a name, an email or a team.') },
  output: found,
  handler: async ({ query: q, limit, offset }, context) =>
    shaped(found, await request(context, path`/users/search`, { query: { q, limit, offset } })),
  empty: (_, { query }) => `No users found matching '${query}'`,
  markdown: ({ total, count, users }, { query }) =>
    blocks(
      line`# User search: ${query}`,
      line`Found ${total} users (showing ${count})`,
      ...users.map(({ id, name, email, team }) => [
        line`## ${name} (${id})`,
        line`- **Email**: ${email}`,
        team && line`- **Team**: ${team}`,
      ]),
    ),
});
