/** Submitted orders by idempotency key, so that nothing is made or charged twice. */
export interface Submissions {
  /**
   * The ids of the order's generations; null for a new key, false if the key was used for another
   * order.
   */
  find(personaId: string, key: string, order: string): readonly string[] | false | null;
  /** @param key null for an order without one, which is never a repetition. */
  add(personaId: string, key: string | null, order: string, ids: readonly string[]): void;
  /** Whether a generation came from an order, and was charged. */
  isPaid(id: string): boolean;
}

export function createSubmissions(): Submissions {
  const known = new Map<string, { order: string; ids: readonly string[] }>();
  const paid = new Set<string>();
  const nameOf = (personaId: string, key: string) => `${personaId} ${key}`;
  return {
    find(personaId, key, order) {
      const submission = known.get(nameOf(personaId, key));
      if (!submission) return null;
      return submission.order === order && submission.ids;
    },
    add(personaId, key, order, ids) {
      if (key !== null) known.set(nameOf(personaId, key), { order, ids });
      for (const id of ids) paid.add(id);
    },
    isPaid: (id) => paid.has(id),
  };
}
