/** The tool that every peer serves: the same models, upstream call and text. */
import { Pool } from 'undici';
import { z } from 'zod';

export const port = Number(process.env.PORT);

/** `probe_search_users`, and copies of it to fill the list. */
export const toolNames = Array.from({ length: Number(process.env.TOOLS) }, (_, index) =>
  index === 0 ? 'probe_search_users' : `probe_search_users_${index}`,
);

export const description =
  'Finds people by name, e-mail address or team. Use it to learn the id of a person whose name you know.';

export const annotations = {
  title: 'Search users',
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};

export const input = z.strictObject({
  query: z.string().trim().min(2).max(200).describe('What to look for'),
  limit: z.int().min(1).max(100).default(20).describe('How many at the most'),
  offset: z.int().min(0).default(0).describe('How many to pass over'),
  response_format: z.enum(['markdown', 'json']).default('markdown').describe('The text’s format'),
});

const user = z.strictObject({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  team: z.string().optional(),
});

export const output = z.strictObject({
  total: z.int(),
  count: z.int(),
  offset: z.int(),
  users: z.array(user),
  has_more: z.boolean(),
  next_offset: z.int().nullable(),
});

const upstream = new Pool(process.env.UPSTREAM, { connections: 64 });

/** Returns the result of one call with valid arguments. */
export async function search({ query, limit, offset, response_format }) {
  const path = `/users/search?${new URLSearchParams({ q: query, limit, offset })}`;
  const { body } = await upstream.request({ method: 'GET', path });
  const { users = [], total = 0 } = await body.json();
  const more = total > offset + users.length;
  const found = output.parse({
    total,
    count: users.length,
    offset,
    users,
    has_more: more,
    next_offset: more ? offset + users.length : null,
  });
  const text = response_format === 'json' ? JSON.stringify(found) : markdown(query, found);
  return { content: [{ type: 'text', text }], structuredContent: found };
}

function markdown(query, { total, count, users }) {
  return [
    `# Users matching '${query}'`,
    '',
    `Found ${total} users, showing ${count}.`,
    ...users.flatMap(({ id, name, email, team }) => [
      '',
      `## ${name} (${id})`,
      `- Email: ${email}`,
      ...(team ? [`- Team: ${team}`] : []),
    ]),
  ].join('\n');
}
