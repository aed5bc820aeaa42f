/** Prices of generations, in credits. */
export type GenerationKind = 'picture' | 'clip';

export function priceOf(kind: GenerationKind, references: number): number {
  return (kind === 'clip' ? 5 : 1) + (references > 0 ? 1 : 0);
}
