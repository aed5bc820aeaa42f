/** Safe website data (W20): all that a browser receives of the visitor's credits. */

export const creditReasons = ['generation', 'refund', 'grant'] as const;

/** One line of the account. */
export interface CreditEntry {
  id: string;
  /** ISO 8601. */
  at: string;
  /** Below zero for what was spent. */
  change: number;
  /** After the change. */
  balance: number;
  reason: (typeof creditReasons)[number];
  /** The generation's id, where it was for one. */
  generation: string | null;
}

export interface CreditDay {
  /** `YYYY-MM-DD`, in UTC. */
  day: string;
  /** What the day cost, less what came back. */
  spent: number;
  /** At the end of the day. */
  balance: number;
}

export interface CreditHistory {
  balance: number;
  /** The last 28, the oldest first, today included. */
  days: CreditDay[];
  /** Newest first. */
  entries: CreditEntry[];
  /** Asks for the entries after these. Null on the last page. */
  nextCursor: string | null;
}
