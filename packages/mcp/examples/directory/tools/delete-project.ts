/** Deletes a project, which is destructive and so asks the user first (M23). */
import { z } from 'zod';
import {
  blocks,
  line,
  nameWithId,
  oneLine,
  path,
  request,
  shaped,
  tool,
  writes,
} from '@gatehouse/mcp';
import { project } from './project.ts';

export const deleteProject = tool({
  name: 'example_delete_project',
  annotations: writes('Delete a project', { destructive: true, idempotent: true }),
  toolsets: ['projects'],
  input: {
    project_id: z.string().trim().min(1).max(100).describe('As in lists: prj_7.'),
  },
  output: z.strictObject({
    id: z.string(),
    name: z.string(),
    deleted: z.boolean(),
  }),
  purpose: 'Deletes a project for good, after the user has confirmed it.',
  whenToUse: ['The user asks to delete a project and you know its ID.'],
  whenNotToUse: ['You have only a name: find the ID with example_list_projects first.'],
  returns: 'Whether it was deleted. When the user declines, nothing is, and that is no error.',
  errors: ['The client cannot ask the user: nothing is deleted.'],
  examples: [{ project_id: 'prj_7' }],
  async handler({ project_id }, context) {
    const endpoint = path`/projects/${project_id}`;
    const { id, name } = shaped(project, await request(context, endpoint));
    const question = `Delete the project ${oneLine(name, 100)} (${oneLine(id, 100)}) for good?`;
    const reply = await context.elicit(question, 'boolean');
    const isConfirmed = reply.action === 'accept' && reply.value;
    if (isConfirmed) await request(context, endpoint, { method: 'DELETE' });
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
