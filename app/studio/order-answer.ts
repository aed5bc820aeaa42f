/** The result of the studio's order action. */
import type { SubmissionResult } from '@conform-to/react';
import type { PlatformErrorCode } from '~/platform/error-codes';

export type OrderAnswer =
  | { ok: true; count: number; result: SubmissionResult }
  /** The code is null if the form's own errors explain it. */
  | { ok: false; code: PlatformErrorCode | null; result: SubmissionResult };
