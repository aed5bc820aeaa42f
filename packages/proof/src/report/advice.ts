/** What the reports say about a finding besides what was observed. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { siteFolder } from '@gatehouse/simulator/programs';
import { findingMeanings, type FindingCode } from '../findings/finding';

/** `recipe` is null if this site has no such document: `npm run init` removes those of other auth modes. */
export function adviceOn(code: FindingCode) {
  const { clauses, remedy, recipe } = findingMeanings[code];
  return { clauses, remedy, recipe: existsSync(path.join(siteFolder, recipe)) ? recipe : null };
}
