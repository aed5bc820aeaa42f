/** The result of the studio's order action. */
import type { SubmissionResult } from '@conform-to/react';
import type { PlatformErrorCode } from '@gatehouse/platform';

export type OrderResult =
  | { ok: true; count: number; result: SubmissionResult }
  /**
   * - `code`: null if the form's own errors explain it
   * - `key`: of the form that was sent. Sent again with it, an order whose answer was lost costs once.
   */
  | { ok: false; code: PlatformErrorCode | null; key: string; result: SubmissionResult };
