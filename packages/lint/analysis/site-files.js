/** What messages may refer to: `npm run init` removes the files of other auth modes. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../../', import.meta.url));

const paths = /\b(?:app|docs)\/[\w./-]*[\w/]/g;

/** @param {string} file a file or folder of the site */
export function has(file) {
  return existsSync(path.join(repository, file));
}

/**
 * A message without the sentences that name a file which this site does not have.
 * @param {...string} sentences
 */
export function sentences(...sentences) {
  return sentences.filter((one) => (one.match(paths) ?? []).every(has)).join(' ');
}

/** In a site that does not call the platform. */
export const withoutPlatform =
  'The auth mode of this site is `in-app`: it makes no call to the platform (docs/security.md).';
