/** Paths of the upstream, encoded in one place: an id can never change which path is called. */
import { UpstreamStatusError } from '../result/errors.ts';

declare const encoded: unique symbol;

/** A path below the base URL. Made by {@link path} only. */
export type UpstreamPath = string & { readonly [encoded]: true };

/**
 * A path with its variable segments encoded: ``path`/users/${id}/teams` ``.
 *
 * @throws UpstreamStatusError 404 for a segment that some server or proxy could read as more than a
 *   segment (empty, `.` and `..` also between slashes, control characters): nothing has such an id.
 */
export function path(
  parts: TemplateStringsArray,
  ...segments: readonly (string | number)[]
): UpstreamPath {
  return String.raw(
    { raw: parts },
    ...segments.map((segment) => encode(String(segment))),
  ) as UpstreamPath;
}

function encode(segment: string): string {
  const names = segment.split(/[/\\]/);
  // eslint-disable-next-line no-control-regex
  if (names.some((name) => /^(\.{0,2})$|[\x00-\x1f\x7f]/.test(name)) || !segment.isWellFormed()) {
    throw new UpstreamStatusError(404);
  }
  return encodeURIComponent(segment);
}
