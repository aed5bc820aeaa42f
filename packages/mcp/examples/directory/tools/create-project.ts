/** Creates a project, with the constraints of the contract (M10). */
import { z } from 'zod';
import { blocks, line, nameWithId, path, request, shaped, tool, writes } from '@gatehouse/mcp';
import { project, projectFacts } from './project.ts';

export const createProject = tool({
  name: 'example_create_project',
  annotations: writes('Create a project'),
  toolsets: ['projects'],
  input: {
    name: z.string().trim().min(1).max(100).describe('Not yet the name of another project.'),
    estimate_days: z.int().min(0).max(1000).optional().describe('Working days it may take.'),
    tags: z
      .array(z.string().trim().min(1).max(50))
      .max(10)
      .default([])
      .describe('Words to find it by, beside its name.'),
  },
  output: project.strict(),
  purpose: 'Creates a project.',
  whenToUse: ['The user asks for a new project.'],
  whenNotToUse: ['It may exist already: look for its name with example_list_projects first.'],
  returns: 'The new project with its ID.',
  errors: ['status 409: a project has this name. Find it with example_list_projects.'],
  examples: [{ name: 'Atlas', estimate_days: 30, tags: ['maps', '2026'] }],
  async handler({ name, estimate_days, tags }, context) {
    const body = { name, estimate_days, tags };
    // One key for all attempts of this call: a retry cannot create a second project.
    const { idempotencyKey } = context;
    const options = { method: 'POST', body, idempotencyKey } as const;
    return shaped(project, await request(context, path`/projects`, options));
  },
  markdown: (made) => blocks(line`# Created ${nameWithId(made.name, made.id)}`, projectFacts(made)),
});
