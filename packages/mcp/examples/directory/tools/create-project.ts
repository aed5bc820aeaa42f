/** Creates a project, with the constraints of the contract (M10). */
import { z } from 'zod';
import {
  blocks,
  defineTool,
  line,
  nameWithId,
  path,
  responseFormat,
  shaped,
  type ToolContext,
} from '@gatehouse/mcp';
import { project, projectFacts } from './project.ts';
import type { ExampleState } from '../state.ts';

export const createProject = defineTool({
  name: 'example_create_project',
  annotations: {
    title: 'Create a project',
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
  },
  toolsets: ['projects'],
  input: z.strictObject({
    name: z.string().trim().min(1).max(100).describe('Not yet the name of another project.'),
    estimate_days: z.int().min(0).max(1000).optional().describe('Working days it may take.'),
    tags: z
      .array(z.string().trim().min(1).max(50))
      .max(10)
      .default([])
      .describe('Words to find it by, beside its name.'),
    response_format: responseFormat,
  }),
  output: project.strict(),
  documentation: {
    purpose: 'Creates a project.',
    whenToUse: ['The user asks for a new project.'],
    whenNotToUse: ['It may exist already: look for its name with example_list_projects first.'],
    returns: 'The new project with its ID.',
    errors: ['status 409: a project has this name. Find it with example_list_projects.'],
    examples: ['{"name":"Atlas","estimate_days":30,"tags":["maps","2026"]}'],
  },
  async handler({ name, estimate_days, tags }, context: ToolContext<ExampleState>) {
    const { upstream } = context.lifespanState;
    const body = { name, estimate_days, tags };
    // One key for all attempts of this call: a retry cannot create a second project.
    const { idempotencyKey } = context;
    const request = { method: 'POST', body, idempotencyKey } as const;
    return shaped(project, await upstream.request(path`/projects`, request, context));
  },
  markdown: (made) => blocks(line`# Created ${nameWithId(made.name, made.id)}`, projectFacts(made)),
});
