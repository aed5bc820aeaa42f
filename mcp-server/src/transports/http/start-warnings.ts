/** What an operator should hear at the start, though nothing is wrong by itself. */
import type { HttpOptions } from './http.ts';
import { namelessWarning } from '../listening/address.ts';

/** One sentence each, for the log. */
export function startWarnings(options: HttpOptions): string[] {
  const warning = namelessWarning(options);
  const isOneOfMany = options.rateLimit.redisUrl !== undefined;
  return [
    ...(warning === undefined ? [] : [warning]),
    ...(isOneOfMany && !options.stateKeys?.length ? [withoutKey] : []),
  ];
}

const withoutKey =
  'Without MCP_STATE_KEY a question is good only in the process that asked it, and REDIS_URL says that there are several';
