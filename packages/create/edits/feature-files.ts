/** The `feature.json` of features that stay. */
import path from 'node:path';
import { isIn } from '../features.ts';
import { parseJson } from '../request/refusal.ts';

/** Removes what has gone with other features from a feature's lists of files. */
export function withoutGone(file: string, text: string, places: readonly string[]): string {
  if (path.posix.basename(file) !== 'feature.json') return text;
  const fields = Object.entries(parseJson(file, text) as Record<string, unknown>);
  const left = fields.map(([field, value]) => {
    const isOfFiles = ['files', 'shared'].includes(field);
    return [field, isOfFiles ? (value as string[]).filter((item) => !isIn(places, item)) : value];
  });
  return `${JSON.stringify(Object.fromEntries(left), null, 2)}\n`;
}
