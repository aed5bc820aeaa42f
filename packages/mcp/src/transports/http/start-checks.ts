/** Checks of the settings at startup and by `--check`: refuses unsafe ones, and warns about probable mistakes. */
import { endpointPath } from '../gate/endpoint.ts';
import type { HttpOptions } from './http.ts';
import { findKeys, IssuerError } from '../authentication/oauth-keys.ts';
import { namelessWarning, openName, originOf } from '../listening/address.ts';

type Options = Omit<HttpOptions, 'runtime'>;

/** @throws Error if other machines can reach the address and authentication is off. */
export function refuseOpenAddress(options: Options): void {
  const open = options.authentication.kind === 'none' ? openName(options) : undefined;
  if (open === undefined) return;
  throw new Error(
    `With ${open} other machines can reach the server, and everyone may call it. Set MCP_BEARER_TOKENS, MCP_BEARER_TOKEN or MCP_OAUTH_ISSUER.`,
  );
}

/**
 * For `--check`.
 *
 * @returns One text for each warning.
 * @throws Error with one sentence if the server would not start, or would accept no token.
 */
export async function checkHttp(options: Options): Promise<string[]> {
  refuseOpenAddress(options);
  const warnings = startWarnings(options, options.port);
  const { authentication } = options;
  if (authentication.kind === 'oauth') {
    try {
      await findKeys(authentication.issuer);
    } catch (error) {
      if (error instanceof IssuerError) throw error;
      warnings.push(
        `The metadata of MCP_OAUTH_ISSUER=${authentication.issuer} are unchecked, because it is unreachable from here.`,
      );
    }
  }
  return warnings;
}

/**
 * Returns one text for each warning.
 *
 * @param port The port that the server listens on.
 */
export function startWarnings(options: Options, port: number): string[] {
  const isOneOfMany = options.rateLimit.redisUrl !== undefined;
  return [
    namelessWarning(options, port),
    audienceWarning(options, port),
    isOneOfMany && !options.stateKeys?.length ? withoutKey : undefined,
  ].filter((warning) => warning !== undefined);
}

const withoutKey =
  'MCP_STATE_KEY is not set, and REDIS_URL means that there are several processes: the answer to a question is accepted only by the process that asked it. Set the same MCP_STATE_KEY for all of them.';

/**
 * Clients request tokens for the resource that the metadata names (RFC 8707, RFC 9728), and audiences are compared
 * character by character (RFC 7519, section 4.1.3): another spelling of the same URL matches no such token.
 */
function audienceWarning(options: Options, port: number): string | undefined {
  const { authentication, publicUrl } = options;
  if (authentication.kind !== 'oauth') return undefined;
  const { audience } = authentication;
  const resource = `${originOf(options, port)}${endpointPath}`;
  if (audience === resource || spelling(audience) !== spelling(resource)) return undefined;
  const source = publicUrl === undefined ? 'MCP_HOST and MCP_PORT' : 'MCP_PUBLIC_URL';
  return `MCP_OAUTH_AUDIENCE is "${audience}", and clients request tokens for "${resource}", which follows from ${source}. The two must be the same, character by character, or such tokens are refused.`;
}

/** Returns the same text for URLs that differ in case, a default port or a final slash. */
function spelling(url: string): string {
  return (URL.canParse(url) ? new URL(url).href : url).toLowerCase().replace(/\/$/, '');
}
