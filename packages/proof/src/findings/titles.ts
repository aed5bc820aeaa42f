import type { CheckName } from './finding';

/** Column headings of the reports. */
export const checkTitles: Record<CheckName, string> = {
  'signed-out': 'signed out, nothing happens',
  'guard-first': 'guard first',
  leaks: 'nothing leaks',
  'other-people': 'never somebody else’s',
  kept: 'never kept',
  trouble: 'platform in trouble',
  'other-sites': 'other sites',
  'signed-out-page': 'signed-out page',
  frame: 'in the frame',
  everybody: 'for everybody',
};
