import type { Stage } from '../stage/stage';
import type { CheckName } from '../findings/finding';

export interface Check {
  name: CheckName;
  /** Checks every route of the stage, concurrently where possible. */
  run: (stage: Stage) => Promise<void>;
}
