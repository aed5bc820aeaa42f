/** Extracts the reason from an error response of the service. */
import { redactText } from '../../context/redact.ts';

/** Extracts the reason from a body: parsed JSON, or text if it is not JSON. */
export type ReasonOf = (body: unknown) => string | undefined;

/** Returns the reason in the body of an error response, with secrets redacted. */
export function reasonIn(bytes: Uint8Array, reasonOf: ReasonOf): string | undefined {
  const text = new TextDecoder().decode(bytes);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // An HTML error page is written for browsers.
    body = text.trimStart().startsWith('<') ? undefined : text;
  }
  const reason = body === undefined ? undefined : reasonOf(body)?.trim();
  return reason ? redactText(reason) : undefined;
}

const reasonFields = ['detail', 'message', 'error_description', 'error', 'title', 'reason', 'code'];
const mostReasons = 5;

/**
 * Reads the most common shapes: `message`, `detail` (RFC 9457), `error` with either, and `errors` as a list or by
 * field: `title: is too long; labels: unknown label`.
 */
export const commonReason: ReasonOf = (body) => reasons(body, 4).slice(0, mostReasons).join('; ');

function reasons(value: unknown, levels: number): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
  if (typeof value !== 'object' || value === null || levels === 0) return [];
  if (Array.isArray(value)) {
    return value.slice(0, mostReasons).flatMap((item) => reasons(item, levels - 1));
  }
  const { errors, field, ...rest } = value as Record<string, unknown>;
  const stated = reasonFields
    .map((name) => reasons(rest[name], levels - 1))
    .find((found) => found.length);
  const named =
    typeof field === 'string' && stated ? stated.map((reason) => `${field}: ${reason}`) : stated;
  return [...(named ?? []), ...reasonsByField(errors, levels - 1)];
}

function reasonsByField(errors: unknown, levels: number): string[] {
  if (typeof errors !== 'object' || errors === null || Array.isArray(errors)) {
    return reasons(errors, levels);
  }
  return Object.entries(errors)
    .slice(0, mostReasons)
    .flatMap(([field, what]) => reasons(what, levels - 1).map((reason) => `${field}: ${reason}`));
}
