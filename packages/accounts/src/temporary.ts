/** Failures of account work that pass by themselves. */
import { isStoreUnavailable } from '@gatehouse/store';
import { HashingBusy } from './password/hashing.ts';

/** Whether the work may succeed if it is tried again shortly. */
export function isTemporary(error: unknown): boolean {
  return error instanceof HashingBusy || isStoreUnavailable(error);
}
