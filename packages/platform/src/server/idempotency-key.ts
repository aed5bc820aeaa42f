/** The key by which a page's repeated submission, such as a double click or a retry, takes effect once. */
import { PlatformSdkError } from './sdk/sdk-error.ts';

/**
 * @param sent the form, with the key in its field `key`; or the request, with it in the header `idempotency-key`.
 * @returns a key that the page generated, such as a UUID: 8 to 200 visible ASCII characters. A form without one, sent by a
 *   page without JavaScript, gets a new key: each submission then takes effect.
 * @throws {PlatformSdkError} 400 `idempotency_key_required`.
 */
export function idempotencyKeyOf(sent: FormData | Request): string {
  const isForm = sent instanceof FormData;
  const key = isForm ? sent.get('key') : sent.headers.get('idempotency-key');
  if (isForm && !key) return crypto.randomUUID();
  if (typeof key !== 'string' || !/^[\x21-\x7e]{8,200}$/.test(key)) {
    throw new PlatformSdkError(400, 'idempotency_key_required');
  }
  return key;
}
