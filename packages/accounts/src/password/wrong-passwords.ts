/** How many passwords may be wrong. The right one resets the count. */
import type { Limit } from '../limits.ts';

export const wrongPasswords: Limit = {
  name: 'password',
  account: { times: 10, minutes: 15 },
  address: { times: 100, minutes: 15 },
};
