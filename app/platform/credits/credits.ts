/** Safe website data (W20): everything a browser receives about the visitor's credits. */

export const creditReasons = ['generation', 'refund', 'grant'] as const;

/** One credit transaction. */
export interface CreditEntry {
  id: string;
  /** ISO 8601. */
  at: string;
  /** Negative for spending. */
  change: number;
  /** After the change. */
  balance: number;
  reason: (typeof creditReasons)[number];
  /** The id of the generation it paid for or refunded, if any. */
  generation: string | null;
}

export interface CreditDay {
  /** `YYYY-MM-DD`, in UTC. */
  day: string;
  /** What was spent that day, minus refunds. */
  spent: number;
  /** At the end of the day. */
  balance: number;
}

export interface CreditHistory {
  balance: number;
  /** The last 28 days, oldest first, including today. */
  days: CreditDay[];
  /** Newest first. */
  entries: CreditEntry[];
  /** Requests the next page of entries. Null on the last page. */
  nextCursor: string | null;
}
