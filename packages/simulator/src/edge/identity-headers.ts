/**
 * Headers by which a visitor might claim an identity, in all spellings that servers treat as the same. The
 * edge and the site each have their own filter, and both must cover every one of these.
 */
export const identityHeaders = [
  'authorization',
  'Proxy-Authorization',
  'x-platform-visitor',
  'X_Platform_Visitor',
  'X-Platform_User',
  'x-user',
  'x-user-id',
  'X-User_Id',
  'X_User_Email',
  'x-account-id',
  'x-session-id',
  'x-role',
  'x-auth-request-user',
  'x-auth-request-email',
  'x-authenticated-user',
  'remote-user',
  'Remote_User',
  'x-remote-user',
  'x-forwarded-user',
  'x-forwarded-email',
  'x_forwarded_preferred_username',
  'x-goog-authenticated-user-email',
  'x-ms-client-principal',
  'x-ms-client-principal-id',
  'x-amzn-oidc-data',
  'cf-access-jwt-assertion',
  'cf-access-authenticated-user-email',
  'tailscale-user-login',
  'x-jwt-assertion',
  'x-access-token',
] as const;

/** Headers with similar names that claim no identity. */
export const harmlessHeaders = [
  'accept-language',
  'x-requested-with',
  'x-useful',
  'dnt',
  'if-none-match',
] as const;
