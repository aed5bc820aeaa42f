/** Streams all of an owner's notes as one file. */
import { textStream } from '@gatehouse/frame/server';
import { everyNote } from '../stored/bulk.server';
import { writeMarkdown } from './markdown.server';

export const exportFormats = {
  json: { filename: 'notes.json', type: 'application/json; charset=utf-8' },
  markdown: { filename: 'notes.md', type: 'text/markdown; charset=utf-8' },
} as const;

export type ExportFormat = keyof typeof exportFormats;

export function exportNotes(owner: string, format: ExportFormat): ReadableStream<Uint8Array> {
  return textStream(format === 'json' ? jsonOf(owner) : markdownOf(owner));
}

async function* jsonOf(owner: string): AsyncGenerator<string> {
  let before = '{"notes":[\n';
  for await (const note of everyNote(owner)) {
    yield before + JSON.stringify(note);
    before = ',\n';
  }
  yield before.startsWith('{') ? '{"notes":[]}\n' : '\n]}\n';
}

async function* markdownOf(owner: string): AsyncGenerator<string> {
  for await (const note of everyNote(owner)) yield writeMarkdown(note);
}
