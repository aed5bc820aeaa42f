/** Headers that are sent more than once, by a proxy for example. Node.js joins their values with commas. */
import { refusal, type Middleware } from './exchange.ts';

/** The headers with a single value that this server reads, apart from Host. */
const single = [
  'Authorization',
  'Content-Encoding',
  'Content-Type',
  'Last-Event-ID',
  'Mcp-Method',
  'Mcp-Name',
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
  'Origin',
  'Sec-Fetch-Site',
].map((name) => ({ name, field: name.toLowerCase() }));

/** Compared with the body later, in an error with the request's id. `initialize` ignores the version. */
const comparedWithBody = new Set(['mcp-method', 'mcp-name', 'mcp-protocol-version']);

/**
 * Makes repetitions with the same value one header, and rejects different ones, of which a proxy in front of this
 * server may have used the other. A second Host is rejected in any case (RFC 9112, section 3.2).
 */
export function joinRepeated(): Middleware {
  const refuse = (reason: string) => refusal(400, `Bad Request: ${reason}.`);
  return ({ request }) => {
    const { headers } = request;
    if (headers.host?.includes(',') && request.headersDistinct['host']?.length !== 1) {
      return refuse('Host was sent more than once');
    }
    for (const { name, field } of single) {
      const joined = headers[field];
      if (typeof joined !== 'string' || !joined.includes(',')) continue;
      const lines = request.headersDistinct[field] ?? [];
      // Clients and proxies may combine the lines (RFC 9110, section 5.3).
      const [value = '', ...others] = new Set(lines.length > 1 ? lines : joined.split(/\s*,\s*/));
      if (others.length === 0) headers[field] = value;
      // Other values than a session's id may have a comma.
      else if (field === 'mcp-session-id' || (lines.length > 1 && !comparedWithBody.has(field))) {
        return refuse(`${name} was sent more than once, with different values`);
      }
    }
    return undefined;
  };
}
