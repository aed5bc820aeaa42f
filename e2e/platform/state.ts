/** What the simulated platform keeps between two calls. */
import type { Operation } from '../harness/definition';
import type { Generations } from './generations';
import type { Media } from './media';

export interface State {
  generations: Generations;
  media: Media;
}

export type SiteOperation = Operation<State>;
