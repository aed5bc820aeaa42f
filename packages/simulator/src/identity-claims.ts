/**
 * Headers that claim an identity. The edge drops them, and the internal API reports a call that carries one.
 */

/** Matched in lower case and with `_` read as `-`, as CGI-like servers do. */
const IDENTITY_HEADERS: readonly RegExp[] = [
  /^(proxy-)?authorization$/,
  /^x-platform-/,
  /^x-(user|auth|account|identity|session|principal|visitor|persona|member|role|roles|email|username|uid)(-|$)/,
  /^(x-)?remote-(user|name|email|groups?)(-|$)/,
  /^(x-)?(authenticated|webauth|webauthn|verified)-/,
  /^x-forwarded-(user|username|email|groups?|roles?|preferred-username|access-token|id-token|identity|account|auth|name)(-|$)/,
  /^x-(access|id|api|bearer|refresh|csrf-user)-token$/,
  /^x-(jwt|goog|ms-client-principal|amzn-oidc|amzn-mtls)(-|$)/,
  /^(cf-access|tailscale-user|oidc|openid|saml|shib|mellon)-/,
  /^(ssl|x-ssl|x-client)-(client|cert)(-|$)/,
];

/** Whether a header of this name claims an identity, in any spelling. */
export function isIdentityHeader(name: string): boolean {
  const plain = name.toLowerCase().replaceAll('_', '-');
  return IDENTITY_HEADERS.some((pattern) => pattern.test(plain));
}
