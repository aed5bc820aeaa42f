/** What was ordered, and under which idempotency key: nothing is made or paid for twice. */
export interface Submissions {
  /** The ids that the order gave; null for a new key, false where the key stands for another order. */
  find(personaId: string, key: string, order: string): readonly string[] | false | null;
  /** @param key null for an order without one: another like it is another order. */
  add(personaId: string, key: string | null, order: string, ids: readonly string[]): void;
  /** Whether a generation was ordered, and so paid for. */
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
