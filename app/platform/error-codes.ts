/** What the site says of a failed operation, and all it says. */
export type PlatformErrorCode =
  | 'unauthorized'
  | 'account_changed'
  | 'insufficient_credits'
  | 'forbidden'
  | 'not_found'
  | 'not_ready'
  | 'invalid_prompt'
  | 'invalid_cursor'
  | 'range_not_satisfiable'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'malformed_form'
  | 'rate_limited'
  | 'upstream_unavailable';
