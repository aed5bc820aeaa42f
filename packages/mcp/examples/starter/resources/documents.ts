/** What clients can attach to a conversation: documents (M19) and settings of the company (M20). */
import {
  type ApiState,
  path,
  request,
  resource,
  type ResourceContext,
  shaped,
  UpstreamStatusError,
} from '@gatehouse/mcp';
import { z } from 'zod';

const document = z.object({ name: z.string(), title: z.string() });
const documentList = z.object({ documents: z.array(document).default([]) });

const listed = async (context: ResourceContext<ApiState>) =>
  shaped(documentList, await request(context, path`/documents`)).documents;

export function documentUri(name: string): string {
  return `file://documents/${encodeURIComponent(name.toWellFormed())}`;
}

export const documents = resource({
  name: 'documents',
  title: 'Document',
  description: 'The text of a company document, such as the handbook or a finished export.',
  uri: 'file://documents/{name}',
  mimeType: 'text/plain',
  async read({ name }, context) {
    const read = await request(context, path`/documents/${name}`);
    return shaped(z.object({ text: z.string() }), read).text;
  },
  complete: async (_variable, typed, context) =>
    (await listed(context)).map(({ name }) => name).filter((name) => name.startsWith(typed)),
  list: async (context) =>
    (await listed(context)).map(({ name, title }) => ({ uri: documentUri(name), name, title })),
});

const keyList = z.object({ keys: z.array(z.string()).default([]) });

export const settingValues = resource({
  name: 'settings',
  title: 'Setting',
  description: 'A setting of the company directory as JSON; an empty object when there is none.',
  uri: 'config://settings/{key}',
  mimeType: 'application/json',
  async read({ key }, context) {
    try {
      return JSON.stringify((await request(context, path`/settings/${key}`)) ?? {}, null, 2);
    } catch (error) {
      if (error instanceof UpstreamStatusError && error.status === 404) return '{}';
      throw error;
    }
  },
  async complete(_variable, typed, context) {
    const { keys } = shaped(keyList, await request(context, path`/settings`));
    return keys.filter((key) => key.startsWith(typed));
  },
});
