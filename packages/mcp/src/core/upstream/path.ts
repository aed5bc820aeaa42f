/** Paths of the upstream. Encoding in one place ensures that an id cannot change which endpoint is called. */
import { UpstreamStatusError } from '../result/errors.ts';

declare const encoded: unique symbol;

/** A path below the base URL. Created by {@link path} only. */
export type UpstreamPath = string & { readonly [encoded]: true };

/**
 * A template tag for a path with encoded variable segments: ``path`/users/${id}/teams` ``.
 *
 * @throws UpstreamStatusError 404 for a value that a server or proxy could read as anything other than one segment
 *   (empty, `.` and `..` even between slashes, control characters): no id has such a form.
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
