/** The state of the simulated platform. */
import type { Operation } from '@gatehouse/simulator';
import type { Credits } from './resources/credits';
import type { Generations } from './resources/generations';
import type { Media } from './resources/media';
import type { Submissions } from './resources/submissions';
import type { Workspaces } from './resources/workspaces';

export interface State {
  generations: Generations;
  submissions: Submissions;
  media: Media;
  workspaces: Workspaces;
  credits: Credits;
}

export type SiteOperation = Operation<State>;
