import type { AuthMode } from '@gatehouse/simulator';
import type { CheckName } from './finding.ts';

const titles: Record<CheckName, string> = {
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

/** The heading of a check's column in the reports. */
export function titleOf(check: CheckName, auth: AuthMode): string {
  return check === 'trouble' && auth === 'in-app' ? 'store in trouble' : titles[check];
}
