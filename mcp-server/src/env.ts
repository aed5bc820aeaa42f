/** The program's settings: read once, checked, frozen. The only reader of `process.env`. */
import { z } from 'zod';
import { logLevels } from './core/context/log.ts';
import { isLoopback } from './transports/address.ts';

const list = z
  .string()
  .default('')
  .transform((value) => value.split(/[\s,]+/).filter(Boolean));

const host = z.string().regex(/^(\[[\da-f:.]+\]|[a-z\d.-]+)(:\d{1,5})?$/i, {
  error: 'must list host names, such as mcp.example.com or mcp.example.com:8443',
});

const isHttpUrl = (value: string) =>
  URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

const origin = z
  .string()
  .refine((value) => isHttpUrl(value) && new URL(value).origin === value.replace(/\/$/, ''), {
    error: 'must be an http or https origin alone, such as https://app.example',
  })
  .transform((value) => new URL(value).origin);

/** RFC 8414, section 2. Without TLS anyone on the way could name keys of their own. */
const issuer = z.string().refine(
  (value) => {
    if (!isHttpUrl(value)) return false;
    const { protocol, hostname, username, password, search, hash } = new URL(value);
    const isSafe = protocol === 'https:' || isLoopback(hostname);
    return isSafe && username + password + search + hash === '';
  },
  {
    error:
      'must be an https URL without user, query or fragment, such as https://login.example; http is for localhost alone',
  },
);

/** RFC 6749, appendix A.4. They are sent in a header. */
const scope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, {
  error: 'must list scopes, such as tools:call',
});

const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d+$/, { error: `must be a whole number from ${least} to ${most}` })
    .transform(Number)
    .refine((value) => value >= least && value <= most, {
      error: `must be a whole number from ${least} to ${most}`,
    });

const oneOf = <const T extends readonly string[]>(...values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

const flag = oneOf('0', '1').transform((value) => value === '1');

const settings = z
  .object({
    LOG_LEVEL: oneOf(...logLevels).default('info'),
    MCP_HOST: z
      .string()
      .regex(/^[\da-z.:-]+$/i, { error: 'must be an address or a host name' })
      .default('127.0.0.1'),
    MCP_PORT: whole(0, 65_535).default(3333),
    MCP_ALLOWED_HOSTS: list.pipe(z.array(host)),
    MCP_ALLOWED_ORIGINS: list.pipe(z.array(origin)),
    MCP_PUBLIC_URL: origin.optional(),
    MCP_BEARER_TOKEN: z
      .string()
      .regex(/^[\x21-\x7e]{16,}$/, {
        error: 'must have at least 16 characters of ASCII, none of them a space',
      })
      .optional(),
    MCP_OAUTH_ISSUER: issuer.optional(),
    MCP_OAUTH_AUDIENCE: z.string().optional(),
    MCP_OAUTH_SCOPE: list.pipe(z.array(scope)),
    MCP_RATE_LIMIT: whole(1, 1_000_000).default(600),
    MCP_SESSIONS: flag.default(false),
    MCP_SESSION_IDLE_SECONDS: whole(1, 86_400).default(600),
    MCP_MAX_SESSIONS: whole(1, 1_000_000).default(1_000),
    REDIS_URL: z
      .string()
      .refine((value) => /^rediss?:\/\//.test(value) && URL.canParse(value), {
        error: 'must be a redis or rediss URL',
      })
      .optional(),
  })
  .superRefine((value, context) => {
    const refuse = (path: string, message: string) => {
      context.addIssue({ code: 'custom', path: [path], message });
    };
    if (value.MCP_OAUTH_ISSUER !== undefined && value.MCP_BEARER_TOKEN !== undefined) {
      refuse('MCP_BEARER_TOKEN', 'must not be set together with MCP_OAUTH_ISSUER');
    }
    if (value.MCP_OAUTH_ISSUER !== undefined && value.MCP_OAUTH_AUDIENCE === undefined) {
      refuse('MCP_OAUTH_AUDIENCE', 'is required with MCP_OAUTH_ISSUER');
    }
    // Whoever sets one of these means to have OAuth, and would not have it.
    if (value.MCP_OAUTH_ISSUER !== undefined) return;
    if (value.MCP_OAUTH_AUDIENCE !== undefined) {
      refuse('MCP_OAUTH_AUDIENCE', 'means nothing without MCP_OAUTH_ISSUER');
    }
    if (value.MCP_OAUTH_SCOPE.length > 0) {
      refuse('MCP_OAUTH_SCOPE', 'means nothing without MCP_OAUTH_ISSUER');
    }
  });

export type Settings = Readonly<z.output<typeof settings>>;

/** A setting is missing or malformed. The message is one sentence that names it, without its value. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
}

type Source = Readonly<Record<string, string | undefined>>;

/** @throws SettingError for the first that is missing or malformed. */
export function parseSettings(source: Source): Settings {
  return Object.freeze(parse(settings, source));
}

function parse<Schema extends z.ZodType>(schema: Schema, source: Source): z.output<Schema> {
  // An empty value is an unset one: shells and client configurations cannot tell them apart.
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const result = schema.safeParse(present);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const name = String(issue?.path[0]);
  const isMissing = issue?.code === 'invalid_type' && !(name in present);
  throw new SettingError(
    isMissing ? `${name} is required.` : `${name} ${issue?.message ?? 'is malformed'}.`,
  );
}

/**
 * The settings of this process, and the service's own.
 *
 * @throws SettingError
 */
export function readSettings<Schema extends z.ZodType>(
  service: Schema,
): { readonly settings: Settings; readonly serviceSettings: z.output<Schema> } {
  return { settings: parseSettings(process.env), serviceSettings: parse(service, process.env) };
}
