/** What a generation costs in the offline demo. The platform's own prices are the platform's to tell. */
import type { GenerationKind } from './generations';

export function demoPriceOf(kind: GenerationKind): number {
  return kind === 'clip' ? 5 : 1;
}
