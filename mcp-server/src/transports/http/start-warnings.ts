/** Startup warnings about settings that are valid, but probably not intended. */
import type { HttpOptions } from './http.ts';
import { namelessWarning } from '../listening/address.ts';

/** Returns one sentence for each warning. */
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
