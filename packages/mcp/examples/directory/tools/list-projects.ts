import { z } from 'zod';
import {
  blocks,
  line,
  lines,
  nameWithId,
  page,
  path,
  reads,
  request,
  shaped,
  tool,
} from '@gatehouse/mcp';
import { project, projectFacts } from './project.ts';

const found = page('projects', project);

export const listProjects = tool({
  name: 'example_list_projects',
  annotations: reads('List projects'),
  toolsets: ['projects'],
  input: {
    query: z.string().trim().min(1).max(100).optional().describe('Part of a name or of a tag.'),
  },
  output: found,
  purpose: 'Lists the company’s projects, or those with a name or a tag, oldest first.',
  whenToUse: ['"Which projects are there?"', 'Another tool needs the ID of a project.'],
  whenNotToUse: ['You look for people: use example_search_users.'],
  returns: 'One page of projects.',
  errors: ["No match is no error: No projects found matching '<query>'."],
  examples: [{ query: 'atlas' }, { limit: 100, offset: 100 }],
  async handler({ query: q, limit, offset }, context) {
    const query = { q, limit, offset };
    return shaped(found, await request(context, path`/projects`, { query }));
  },
  empty: (_, { query }) =>
    query === undefined ? 'There are no projects.' : `No projects found matching '${query}'`,
  markdown: ({ total, count, projects }, { query }) =>
    blocks(
      query === undefined ? line`# Projects` : line`# Projects: ${query}`,
      line`Found ${total} projects (showing ${count})`,
      ...projects.map((item) =>
        lines(line`## ${nameWithId(item.name, item.id)}`, projectFacts(item)),
      ),
    ),
});
