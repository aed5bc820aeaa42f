/** The output of `npm run dev`: its programs' logs as readable lines, and the violations of a call. */
import { prettyFactory } from 'pino-pretty';
import { z } from 'zod';

import { VIOLATIONS, type CallEntry } from '../internal-api/ledger.ts';

const pretty = prettyFactory({
  colorize: process.stdout.isTTY,
  translateTime: 'SYS:HH:MM:ss',
  ignore: 'pid,hostname,requestId',
  singleLine: true,
});

const stacked = z.looseObject({ stack: z.string() });

/** A line of pino's. The site's errors are `err`; the MCP server's are in `data`. */
const logSchema = z.looseObject({
  level: z.union([z.number(), z.string()]),
  msg: z.string(),
  err: stacked.optional(),
  data: z.looseObject({ error: stacked.optional() }).optional(),
});

const requestSchema = z.looseObject({
  msg: z.literal('request'),
  method: z.string(),
  path: z.string(),
  status: z.union([z.number(), z.string()]),
  ms: z.number(),
});

/**
 * @param line of a program's output.
 * @returns the line made readable: a JSON log entry as text, its stack on lines of its own. Other lines stay
 *   as they are.
 */
export function readable(line: string): string {
  const log = logSchema.safeParse(jsonOf(line));
  if (!log.success) return line;
  const request = requestSchema.safeParse(log.data);
  if (request.success) {
    const { method, path, status, ms, ...rest } = request.data;
    return pretty({ ...rest, msg: `${method} ${path} ${status} in ${ms} ms` }).trimEnd();
  }
  const { err, data, msg, ...rest } = log.data;
  const { error, ...details } = data ?? {};
  const stack = (err ?? error)?.stack;
  return pretty({
    ...rest,
    ...(Object.keys(details).length > 0 && { data: details }),
    msg: stack === undefined ? msg : `${msg}\n${stack}\n`,
  }).trimEnd();
}

/** One line for each rule that a call violated. */
export function violationsOf({ violations, method, path, siteRequest }: CallEntry): string[] {
  const from = siteRequest ? ` for ${siteRequest.method} ${siteRequest.path}` : '';
  return violations.map((kind) => `${kind}: ${method} ${path}${from}. ${VIOLATIONS[kind]}`);
}

function jsonOf(line: string): unknown {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
