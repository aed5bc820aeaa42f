/** `file://documents/{name}` (M19). */
import { z } from 'zod';
import { defineResource, path, type ResourceContext, shaped } from '@gatehouse/mcp';
import type { ExampleState } from '../state.ts';

type Context = ResourceContext<ExampleState>;

export function documentUri(name: string): string {
  return `file://documents/${encodeURIComponent(name.toWellFormed())}`;
}

const document = z.object({ text: z.string() });
const documentList = z.object({
  documents: z.array(z.object({ name: z.string(), title: z.string() })).default([]),
});

async function listDocuments(context: Context) {
  const { upstream } = context.lifespanState;
  return shaped(documentList, await upstream.request(path`/documents`, {}, context)).documents;
}

export const documents = defineResource({
  name: 'documents',
  title: 'Document',
  description: 'The text of a company document, such as the handbook or a finished export.',
  uriTemplate: 'file://documents/{name}',
  mimeType: 'text/plain',
  async read({ name }, context: Context) {
    const { upstream } = context.lifespanState;
    return shaped(document, await upstream.request(path`/documents/${name}`, {}, context)).text;
  },
  async complete(_variable, typed, context: Context) {
    const names = (await listDocuments(context)).map(({ name }) => name);
    return names.filter((name) => name.startsWith(typed));
  },
  async list(context: Context) {
    return (await listDocuments(context)).map(({ name, title }) => ({
      uri: documentUri(name),
      name,
      title,
    }));
  },
});
