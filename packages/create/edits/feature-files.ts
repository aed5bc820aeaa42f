/** The `feature.json` of features that stay. */
import path from 'node:path';
import { isIn } from '../features.ts';

/** In characters, with a comma after it. What is not longer, Prettier writes into one line. */
const lineLength = 100;

/** Removes what has gone with other features from a feature's lists of files. */
export function withoutGone(file: string, text: string, places: readonly string[]): string {
  if (path.posix.basename(file) !== 'feature.json') return text;
  return text.replace(
    /^( *"(?:files|shared)": )\[([^\]]*)\]/gm,
    (whole, field: string, list: string) => {
      const items = JSON.parse(`[${list}]`) as string[];
      const left = items.filter((item) => !isIn(places, item)).map((item) => JSON.stringify(item));
      if (left.length === items.length) return whole;
      const line = `${field}[${left.join(', ')}]`;
      return line.length < lineLength ? line : `${field}[\n    ${left.join(',\n    ')}\n  ]`;
    },
  );
}
