/** After `initialize`, a client names the protocol revision that it speaks; an older one names none. */
import { errorCode, refusal, type Middleware } from './exchange.ts';

export function checkProtocolVersion(supported: readonly string[]): Middleware {
  const refused = refusal(
    400,
    errorCode.refused,
    `Bad Request: unsupported protocol version (supported versions: ${supported.join(', ')}).`,
  );
  return ({ request }) => {
    const version = request.headers['mcp-protocol-version'];
    if (version === undefined || supported.includes(String(version))) return undefined;
    return refused;
  };
}
