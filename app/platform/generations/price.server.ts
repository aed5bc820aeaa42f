/** Prices of the offline demo. The platform sets the real ones. */
import type { GenerationKind } from './generations';

export function demoPriceOf(kind: GenerationKind): number {
  return kind === 'clip' ? 5 : 1;
}
