/** An issue, its comments and its screenshot, to attach to a conversation. */
import { z } from 'zod';
import { defineResource, path, type ResourceContext, shaped } from '@gatehouse/mcp';
import { issue } from '../issue.ts';
import type { TrackerState } from '../state.ts';

type Context = ResourceContext<TrackerState>;

const comments = z.array(z.object({ author: z.string(), text: z.string() }));

export const issueResource = defineResource({
  name: 'issue',
  title: 'Issue',
  description: 'An issue as JSON.',
  uriTemplate: 'tracker://issues/{id}',
  mimeType: 'application/json',
  async read({ id }, context: Context) {
    const { upstream } = context.lifespanState;
    return JSON.stringify(shaped(issue, await upstream.request(path`/issues/${id}`, {}, context)));
  },
});

export const commentsResource = defineResource({
  name: 'comments',
  title: 'Comments',
  description: 'What was said of an issue.',
  uriTemplate: 'tracker://comments/{id}',
  mimeType: 'text/plain',
  async read({ id }, context: Context) {
    const { upstream } = context.lifespanState;
    const all = shaped(comments, await upstream.request(path`/issues/${id}/comments`, {}, context));
    return all.map(({ author, text }) => `${author}: ${text}`).join('\n');
  },
});

export const screenshotResource = defineResource({
  name: 'screenshot',
  title: 'Screenshot',
  description: 'The screenshot of an issue.',
  uriTemplate: 'tracker://screenshots/{id}',
  mimeType: 'image/png',
  read({ id }, context: Context) {
    const { upstream } = context.lifespanState;
    return upstream.request(path`/issues/${id}/screenshot`, { as: 'bytes' }, context);
  },
});
