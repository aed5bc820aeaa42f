/** What the reports say about a finding besides what was observed. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { AuthMode } from '@gatehouse/simulator';
import { siteFolder } from '@gatehouse/simulator/programs';
import { findingMeanings, type FindingCode, type FindingMeaning } from '../findings/finding.ts';
import { modeAdvice } from '../findings/mode-advice.ts';

/** `recipe` is null if this site has no such document: `npm run init` removes those of other auth modes. */
export function adviceOn(code: FindingCode, auth: AuthMode = 'platform') {
  const meaning: FindingMeaning = { ...findingMeanings[code], ...modeAdvice[auth][code] };
  const { clauses, remedy, recipe } = meaning;
  return { clauses, remedy, recipe: existsSync(path.join(siteFolder, recipe)) ? recipe : null };
}
