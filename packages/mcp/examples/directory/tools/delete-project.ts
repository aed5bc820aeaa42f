/** Deletes a project, which is destructive and so asks the user first (M23). */
import { z } from 'zod';
import {
  blocks,
  defineTool,
  line,
  nameWithId,
  oneLine,
  path,
  responseFormat,
  shaped,
  type ToolContext,
} from '@gatehouse/mcp';
import { project } from './project.ts';
import type { ExampleState } from '../state.ts';

export const deleteProject = defineTool({
  name: 'example_delete_project',
  annotations: {
    title: 'Delete a project',
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: true,
  },
  toolsets: ['projects'],
  input: z.strictObject({
    project_id: z.string().trim().min(1).max(100).describe('As in lists: prj_7.'),
    response_format: responseFormat,
  }),
  output: z.strictObject({
    id: z.string(),
    name: z.string(),
    deleted: z.boolean(),
  }),
  documentation: {
    purpose: 'Deletes a project for good, after the user has confirmed it.',
    whenToUse: ['The user asks to delete a project and you know its ID.'],
    whenNotToUse: ['You have only a name: find the ID with example_list_projects first.'],
    returns: 'Whether it was deleted. When the user declines, nothing is, and that is no error.',
    errors: ['The client cannot ask the user: nothing is deleted.'],
    examples: ['{"project_id":"prj_7"}'],
  },
  async handler({ project_id }, context: ToolContext<ExampleState>) {
    const { upstream } = context.lifespanState;
    const endpoint = path`/projects/${project_id}`;
    const { id, name } = shaped(project, await upstream.request(endpoint, {}, context));
    const question = `Delete the project ${oneLine(name, 100)} (${oneLine(id, 100)}) for good?`;
    const reply = await context.elicit(question, 'boolean');
    const isConfirmed = reply.action === 'accept' && reply.value;
    if (isConfirmed) await upstream.request(endpoint, { method: 'DELETE' }, context);
    return { id, name, deleted: isConfirmed };
  },
  markdown: ({ id, name, deleted }) =>
    deleted
      ? line`# Deleted ${nameWithId(name, id)}`
      : blocks(
          line`# Kept ${nameWithId(name, id)}`,
          line`The user did not confirm. Nothing was deleted.`,
        ),
});
