/**
 * The server's settings, read from the variables that a site passes in, and the building blocks of a site's own. Every refusal is one
 * sentence that names the setting.
 */
import type { z } from 'zod';
import { readSource } from '../origins.ts';
import type { ServerSettings } from '../site.ts';
import { frameAncestors, host, oneOf, origin, port, seconds, wholeNumber } from './values.ts';

export { internalUrl, oneOf, origin, wholeNumber } from './values.ts';

/** The server's own variables: the shape of a zod object, to which a site adds its settings. */
export const serverVariables = {
  NODE_ENV: oneOf('development', 'production', 'test').default('production'),
  PORT: port.default(3000),
  HOST: host.default('0.0.0.0'),
  SITE_ORIGIN: origin.optional(),
  PLATFORM_FRAME_ANCESTORS: frameAncestors.default(["'none'"]),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').optional(),
  MAX_CONNECTIONS: wholeNumber((number) => number.min(1, 'must be at least 1')).default(1_000),
  SHUTDOWN_DELAY_SECONDS: seconds(300).optional(),
};

/** What the server takes from them. */
export function serverSettings(
  value: z.infer<z.ZodObject<typeof serverVariables>>,
): Omit<ServerSettings, 'trustedProxies' | 'contentSources' | 'hiddenInLog'> {
  return {
    mode: value.NODE_ENV,
    port: value.PORT,
    host: value.HOST,
    siteOrigin: value.SITE_ORIGIN ?? `http://localhost:${value.PORT}`,
    frameAncestors: value.PLATFORM_FRAME_ANCESTORS,
    logLevel: value.LOG_LEVEL ?? (value.NODE_ENV === 'development' ? 'warn' : 'info'),
    maxConnections: value.MAX_CONNECTIONS,
    shutdownDelay: value.SHUTDOWN_DELAY_SECONDS ?? (value.NODE_ENV === 'production' ? 5 : 0),
  };
}

/** A setting is missing or malformed. The message is one sentence that names it. */
export class SettingError extends Error {
  override name = 'SettingError';
}

/**
 * Parses variables. An empty value counts as unset, because shells and .env files cannot tell the two apart.
 *
 * @throws {SettingError} naming the first setting that is missing or malformed.
 */
export function readSettings<Value>(
  schema: z.ZodType<Value>,
  source: Record<string, string | undefined>,
): Value {
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const result = schema.safeParse(present);
  if (result.success) return result.data;
  const [name, problem] = firstProblem(result.error);
  // Docker keeps the quotes of an --env-file. If the value is valid without its quotes, the message names the quotes.
  const unquoted = /^(["'])(.*)\1$/s.exec(present[name] ?? '')?.[2];
  const retried =
    unquoted === undefined ? result : schema.safeParse({ ...present, [name]: unquoted });
  const isQuoted = retried.success || firstProblem(retried.error)[0] !== name;
  throw new SettingError(`${name} ${isQuoted ? 'must not be in quotes' : problem}.`);
}

function firstProblem({ issues: [issue] }: z.ZodError): [name: string, problem: string] {
  return [String(issue?.path[0] ?? 'setting'), issue?.message ?? 'is malformed'];
}

/**
 * Origins that pages may use, by directive of the content security policy, normalised as browsers compare them.
 *
 * @param file where the site lists them, for the message.
 * @throws {SettingError} naming the first malformed source.
 */
export function readContentSources(
  sources: Readonly<Record<string, readonly string[]>>,
  file: string,
): Record<string, readonly string[]> {
  const options = { schemes: ['https', 'http', 'wss', 'ws'], path: true };
  return Object.fromEntries(
    Object.entries(sources).map(([directive, list]) => [
      directive,
      list.map((source) => {
        const reading = readSource(source, options);
        if ('value' in reading) return reading.value;
        const place = `contentSources['${directive}'] in ${file}`;
        throw new SettingError(`${place}: ${source} ${reading.problem}.`);
      }),
    ]),
  );
}
