import { existsSync } from 'node:fs';
import path from 'node:path';
import { repository } from '../../harness/programs/program';
import { findingMeanings, type FindingCode } from '../findings/finding';

/** What a finding's code means. `recipe` is null in a site whose auth mode has no such document. */
export function adviceOn(code: FindingCode) {
  const { clauses, remedy, recipe } = findingMeanings[code];
  return { clauses, remedy, recipe: existsSync(path.join(repository, recipe)) ? recipe : null };
}
