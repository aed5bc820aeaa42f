import type { Stage } from '../stage/stage';
import type { CheckName } from '../findings/finding';

export interface Check {
  name: CheckName;
  /** Checks every route of the stage, concurrently where possible. */
  run: (stage: Stage) => Promise<void>;
}

/** For `pMap`. With all routes at once, a slow machine exceeds the site's own deadlines. */
export const fewAtOnce = { concurrency: 4 };
