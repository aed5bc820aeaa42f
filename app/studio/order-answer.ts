/** What the studio's action says of an order. */
import type { SubmissionResult } from '@conform-to/react';
import type { PlatformErrorCode } from '~/platform/error-codes';

export type OrderAnswer =
  | { ok: true; count: number; result: SubmissionResult }
  /** The code is null where the form says what is wrong with it. */
  | { ok: false; code: PlatformErrorCode | null; result: SubmissionResult };
