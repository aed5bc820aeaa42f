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
import { project, projectFacts } from './project.ts';
import type { ExampleState } from '../state.ts';

const found = z.object({
  projects: z.array(project).default([]),
  total: z.int().min(0).default(0),
});

export const listProjects = defineTool({
  name: 'example_list_projects',
  annotations: {
    title: 'List projects',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
  toolsets: ['projects'],
  input: z.strictObject({
    query: z.string().trim().min(1).max(100).optional().describe('Part of a name or of a tag.'),
    limit,
    offset,
    response_format: responseFormat,
  }),
  output: z.strictObject(pageShape('projects', project.strict())),
  documentation: {
    purpose: 'Lists the company’s projects, or those with a name or a tag, oldest first.',
    whenToUse: ['"Which projects are there?"', 'Another tool needs the ID of a project.'],
    whenNotToUse: ['You look for people: use example_search_users.'],
    returns: 'One page of projects.',
    errors: ["No match is no error: No projects found matching '<query>'."],
    examples: ['{"query":"atlas"}', '{"limit":100,"offset":100}'],
  },
  list: 'projects',
  async handler(args, context: ToolContext<ExampleState>) {
    const query = { q: args.query, limit: args.limit, offset: args.offset };
    const { upstream } = context.lifespanState;
    const response = shaped(found, await upstream.request(path`/projects`, { query }, context));
    const projects = response.projects.slice(0, args.limit);
    const page = { total: response.total, count: projects.length, offset: args.offset };
    return { ...pageOf(page), projects };
  },
  empty({ count, total }, { query }) {
    if (count > 0 || total > 0) return undefined;
    return query === undefined ? 'There are no projects.' : `No projects found matching '${query}'`;
  },
  markdown: ({ total, count, projects }, { query }) =>
    blocks(
      query === undefined ? line`# Projects` : line`# Projects: ${query}`,
      line`Found ${total} projects (showing ${count})`,
      ...projects.map((item) =>
        lines(line`## ${nameWithId(item.name, item.id)}`, projectFacts(item)),
      ),
    ),
});
