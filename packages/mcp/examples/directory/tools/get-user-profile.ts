/** Combines several endpoints in one call: a person, their teams and the teams' leads (M03). */
import { z } from 'zod';
import {
  blocks,
  humanTime,
  line,
  lines,
  nameWithId,
  path,
  reads,
  request,
  shaped,
  tool,
} from '@gatehouse/mcp';

const person = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  title: z.string(),
  started_at: z.string(),
});

const team = z.object({
  id: z.string(),
  name: z.string(),
  purpose: z.string(),
  member_count: z.int().min(0),
  lead: z.object({ id: z.string(), name: z.string() }),
});

const memberships = z.object({ teams: z.array(team).default([]) });

export const getUserProfile = tool({
  name: 'example_get_user_profile',
  annotations: reads('Get a user’s profile'),
  toolsets: ['people'],
  input: {
    user_id: z.string().trim().min(1).max(100).describe('As in search results: usr_0042.'),
  },
  output: z.strictObject({
    ...person.shape,
    teams: z.array(z.strictObject({ ...team.shape, lead: team.shape.lead.strict() })),
  }),
  purpose: 'Reads one person with their teams and who leads them.',
  whenToUse: ['"Who leads Ada’s team?"', 'You have an ID and need more than a search shows.'],
  whenNotToUse: ['You have only a name: use example_search_users.'],
  returns: 'The person; teams is empty for who is in none.',
  errors: ['No permission: this person’s profile is restricted.'],
  examples: [{ user_id: 'usr_0042' }],
  async handler({ user_id: id }, context) {
    const [read, belongs] = await Promise.all([
      request(context, path`/users/${id}`),
      request(context, path`/users/${id}/teams`),
    ]);
    return { ...shaped(person, read), ...shaped(memberships, belongs) };
  },
  markdown: ({ id, name, email, title, started_at: startedAt, teams }) =>
    blocks(
      line`# ${nameWithId(name, id)}`,
      lines(
        line`- **Email**: ${email}`,
        line`- **Title**: ${title}`,
        line`- **With the company since**: ${humanTime(startedAt)}`,
      ),
      teams.length === 0 ? line`In no team.` : line`## Teams`,
      ...teams.flatMap(({ lead, ...team }) => [
        line`### ${nameWithId(team.name, team.id)}`,
        line`${team.purpose}`,
        lines(
          line`- **Lead**: ${nameWithId(lead.name, lead.id)}`,
          line`- **Members**: ${team.member_count}`,
        ),
      ]),
    ),
});
