import type { Stage } from '../stage/stage';
import type { CheckName } from '../findings/finding';

export interface Check {
  name: CheckName;
  /** Looks at every route of the stage, side by side where it can. */
  run: (stage: Stage) => Promise<void>;
}
