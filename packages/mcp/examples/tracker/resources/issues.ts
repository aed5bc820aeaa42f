/** An issue, its comments and its screenshot, to attach to a conversation. */
import { z } from 'zod';
import { path, request, resource, shaped } from '@gatehouse/mcp';
import { issue } from '../issue.ts';

const comments = z.array(z.object({ author: z.string(), text: z.string() }));

export const issueResource = resource({
  name: 'issue',
  title: 'Issue',
  description: 'An issue as JSON.',
  uri: 'tracker://issues/{id}',
  mimeType: 'application/json',
  async read({ id }, context) {
    return JSON.stringify(shaped(issue, await request(context, path`/issues/${id}`)));
  },
});

export const commentsResource = resource({
  name: 'comments',
  title: 'Comments',
  description: 'What was said of an issue.',
  uri: 'tracker://comments/{id}',
  mimeType: 'text/plain',
  async read({ id }, context) {
    const all = shaped(comments, await request(context, path`/issues/${id}/comments`));
    return all.map(({ author, text }) => `${author}: ${text}`).join('\n');
  },
});

export const screenshotResource = resource({
  name: 'screenshot',
  title: 'Screenshot',
  description: 'The screenshot of an issue.',
  uri: 'tracker://screenshots/{id}',
  mimeType: 'image/png',
  read({ id }, context) {
    return request(context, path`/issues/${id}/screenshot`, { as: 'bytes' });
  },
});
