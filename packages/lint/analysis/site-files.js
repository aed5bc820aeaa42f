/** What messages may refer to: `npm run init` removes the files of other auth modes. */
import { existsSync } from 'node:fs';
import path from 'node:path';

const paths = /\b(?:app|docs)\/[\w./-]*[\w/]/g;

/** @param {string} file a file or folder of the site, in whose folder ESLint runs */
export function has(file) {
  return existsSync(path.resolve(file));
}

/**
 * A message without the sentences that name a file which this site does not have.
 * @param {...string} sentences
 */
export function sentences(...sentences) {
  return sentences.filter((sentence) => (sentence.match(paths) ?? []).every(has)).join(' ');
}

/** In a site that does not call the platform. */
export const withoutPlatform =
  'The auth mode of this site is `in-app`: it makes no call to the platform (docs/security.md).';
