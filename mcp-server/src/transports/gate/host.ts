/** The Host header names this server, or the request was led here by a foreign name (DNS rebinding). */
import { errorCode, refusal, type Middleware } from './exchange.ts';

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/** True for `localhost`, `127.0.0.1` and its neighbours, and `::1`, with brackets or without. */
export function isLoopback(hostname: string): boolean {
  const name = hostname.toLowerCase();
  return loopbackNames.has(name) || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}

/** The name without its port: `[::1]:3333` is `[::1]`. What is no port stays, and is no part of a name. */
export function hostnameOf(host: string): string {
  const [, name = host, port = '0'] = /^(.*):(\d{1,5})$/.exec(host) ?? [];
  return (Number(port) > 65_535 ? host : name).toLowerCase();
}

/**
 * @param allowedHosts `mcp.example.com` for any port, `mcp.example.com:8443` for one. Loopback names are
 *   always served: no browser can be made to send them for another site's name.
 */
export function checkHost(allowedHosts: readonly string[]): Middleware {
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()));
  const refused = refusal(403, errorCode.refused, 'Forbidden: this Host is not served.');
  return ({ request }) => {
    const host = request.headers.host?.toLowerCase() ?? '';
    const hostname = hostnameOf(host);
    if (loopbackNames.has(hostname) || allowed.has(host) || allowed.has(hostname)) return undefined;
    return refused;
  };
}
