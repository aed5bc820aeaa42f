/** The program's settings: read once, validated and frozen. The only module that reads `process.env`. */
import { isIPv6 } from 'node:net';
import { z } from 'zod';
import { logLevels } from './core/context/log.ts';
import { isLoopback, parseHost, parseOrigin } from './transports/listening/address.ts';

const list = z
  .string()
  .default('')
  .transform((value) => value.split(/[\s,]+/).filter(Boolean));

const isHttpUrl = (value: string) =>
  URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);

/** A Host header's value, in any spelling that the URL parser reads. */
const host = z.string().transform((text, context) => {
  const parsed = parseHost(text);
  if (parsed)
    return parsed.port === undefined ? parsed.hostname : `${parsed.hostname}:${parsed.port}`;
  let reason = 'must list host names, such as mcp.example.com or mcp.example.com:8443';
  if (text.includes('*')) reason = `${reason}; a name with * is not supported, write each name`;
  else if (isHttpUrl(text)) {
    reason = `must list host names without http:// and path: ${new URL(text).host}`;
  }
  context.addIssue({ code: 'custom', message: reason });
  return z.NEVER;
});

/** An origin, in any spelling that the URL parser reads. A message does not repeat the value: it may have a password. */
const origin = z.string().transform((text, context) => {
  const parsed = parseOrigin(text);
  if (parsed !== undefined && !parsed.includes('*')) return parsed;
  let reason = 'must be an http or https origin, such as https://app.example';
  if (text.includes('*')) reason = `${reason}; one with * is not supported, write each origin`;
  else if (isHttpUrl(text)) {
    const spelling = new URL(text).origin;
    reason = `must be an origin alone, without user, path, query and fragment: ${spelling}`;
  }
  context.addIssue({ code: 'custom', message: reason });
  return z.NEVER;
});

/** What the server listens on: without a port, an IPv6 address without brackets. */
const address = z.string().transform((text, context) => {
  // A zone, such as that of `fe80::1%eth0`, is not part of any URL.
  if (isIPv6(text) && text.includes('%')) return text;
  const { hostname, port } = parseHost(text) ?? {};
  if (hostname !== undefined && port === undefined) return hostname.replace(/^\[|\]$/g, '');
  const reason = 'must be an address or a host name alone, such as 0.0.0.0; its port is MCP_PORT';
  context.addIssue({ code: 'custom', message: reason });
  return z.NEVER;
});

/** RFC 8414, section 2. Without TLS, an attacker on the network could replace the keys. */
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

/** RFC 6749, appendix A.4. Scopes are sent in a header. */
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

/** Long enough for 32 random bytes in any encoding. */
const stateKey = z.string().regex(/^[\x21-\x7e]{32,}$/, {
  error: 'must have at least 32 characters of ASCII; two keys with a comma between',
});

/** `anna=…`: the caller's name and token. A comma separates entries. */
const namedToken = z
  .string()
  .regex(/^[A-Za-z0-9][\w.@-]{0,63}=[\x21-\x7e]{16,}$/, {
    error: 'must list names with tokens of 16 characters of ASCII or more, such as anna=…',
  })
  .transform((text): [name: string, token: string] => {
    const at = text.indexOf('=');
    return [text.slice(0, at), text.slice(at + 1)];
  });

const flag = oneOf('0', '1').transform((value) => value === '1');

/** For every transport. */
const everywhere = {
  LOG_LEVEL: z
    .string()
    .toLowerCase()
    .pipe(oneOf(...logLevels))
    .default('info')
    .describe('How much is logged, as JSON lines on stderr.'),
  MCP_READ_ONLY: flag.default(false).describe('1 serves only tools that change nothing.'),
  MCP_TOOLS: list.describe('The tools and toolsets to serve; all without it.'),
};

/** For HTTP only. */
const overHttp = {
  MCP_HOST: address.default('127.0.0.1').describe('The address that --http listens on.'),
  MCP_PORT: whole(0, 65_535)
    .default(3333)
    .describe('The port that --http listens on; 0 for any free one.'),
  MCP_ALLOWED_HOSTS: list
    .pipe(z.array(host))
    .describe('Further Host names, with commas or spaces between.'),
  MCP_ALLOWED_ORIGINS: list.pipe(z.array(origin)).describe('Origins of browser clients.'),
  MCP_PUBLIC_URL: origin
    .optional()
    .describe('The origin that clients use, if the server is behind a proxy.'),
  MCP_BEARER_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, {
      error: 'must have at least 16 characters of ASCII, none of them a space',
    })
    .optional()
    .describe('One token for every caller.')
    .meta({ secret: true }),
  MCP_BEARER_TOKENS: list
    .pipe(z.array(namedToken))
    .transform((tokens, context) => {
      const byName = new Map(tokens);
      if (byName.size < tokens.length || new Set(byName.values()).size < tokens.length) {
        context.addIssue({ code: 'custom', message: 'must have each name and each token once' });
      }
      return byName;
    })
    .describe('A token for each caller instead: name=token, with commas or spaces between.')
    .meta({ secret: true }),
  MCP_OAUTH_ISSUER: issuer
    .optional()
    .describe('The authorization server whose tokens are accepted instead.'),
  MCP_OAUTH_AUDIENCE: z.string().optional().describe('The audience that an OAuth token must have.'),
  MCP_OAUTH_SCOPE: list.pipe(z.array(scope)).describe('The scopes that an OAuth token must have.'),
  MCP_RATE_LIMIT: whole(1, 1_000_000).default(600).describe('Requests a minute for each caller.'),
  MCP_MAX_BODY_BYTES: whole(1_024, 1024 ** 3)
    .default(1024 ** 2)
    .describe('Maximum bytes of a request body.'),
  MCP_SESSIONS: flag.default(false).describe('1 keeps a session for each client.'),
  MCP_SESSION_IDLE_SECONDS: whole(1, 86_400)
    .default(600)
    .describe('Seconds after which an unused session ends.'),
  MCP_MAX_SESSIONS: whole(1, 1_000_000)
    .default(1_000)
    .describe('Maximum sessions; the one idle longest is dropped for a new one.'),
  MCP_STATE_KEY: list
    .pipe(z.array(stateKey).max(2, { error: 'must have no more than two keys' }))
    .describe(
      'Encrypts the state of a question; the same for all processes: 32 characters or more.',
    )
    .meta({ secret: true }),
  REDIS_URL: z
    .string()
    .refine((value) => URL.canParse(value) && /^rediss?:$/.test(new URL(value).protocol), {
      error: 'must be a redis or rediss URL, such as redis://127.0.0.1:6379',
    })
    .optional()
    .describe('Shares rate limits and change notifications between processes.')
    .meta({ secret: true }),
};

const settings = z.object({ ...everywhere, ...overHttp }).superRefine((value, context) => {
  const refuse = (path: string, message: string) => {
    context.addIssue({ code: 'custom', path: [path], message });
  };
  if (value.MCP_OAUTH_ISSUER !== undefined && value.MCP_BEARER_TOKEN !== undefined) {
    refuse('MCP_BEARER_TOKEN', 'must not be set together with MCP_OAUTH_ISSUER');
  }
  if (value.MCP_BEARER_TOKENS.size > 0) {
    const other = (['MCP_OAUTH_ISSUER', 'MCP_BEARER_TOKEN'] as const).find(
      (name) => value[name] !== undefined,
    );
    if (other) refuse('MCP_BEARER_TOKENS', `must not be set together with ${other}`);
  }
  if (value.MCP_OAUTH_ISSUER !== undefined && value.MCP_OAUTH_AUDIENCE === undefined) {
    refuse('MCP_OAUTH_AUDIENCE', 'is required with MCP_OAUTH_ISSUER');
  }
  // The other OAuth settings have no effect without an issuer; the operator probably forgot it.
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

/** @throws SettingError for the first missing or malformed setting. */
export function parseSettings(source: Source): Settings {
  return Object.freeze(parse(settings, source));
}

function parse<Schema extends z.ZodType>(schema: Schema, source: Source): z.output<Schema> {
  const result = schema.safeParse(present(source));
  if (result.success) return result.data;
  throw new SettingError(problemsOf(result.error, source)[0]);
}

/** Treats empty values as unset, because shells and client configurations often cannot distinguish the two. */
function present(source: Source): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
}

function problemsOf({ issues }: z.ZodError, source: Source): string[] {
  return issues.map((issue) => {
    const name = String(issue.path[0]);
    const isMissing = issue.code === 'invalid_type' && !(name in present(source));
    return isMissing ? `${name} is required.` : `${name} ${issue.message}.`;
  });
}

/**
 * Reads the settings of this process and those of the service.
 *
 * @throws SettingError
 */
export function readSettings<Schema extends z.ZodType>(
  service: Schema,
): { readonly settings: Settings; readonly serviceSettings: z.output<Schema> } {
  return { settings: parseSettings(process.env), serviceSettings: parse(service, process.env) };
}

/** Returns one sentence for each missing or malformed setting in this process's environment. */
export function settingProblems(service: z.ZodType, source: Source = process.env): string[] {
  return [settings, service].flatMap((schema) => {
    const { error } = schema.safeParse(present(source));
    return error ? problemsOf(error, source) : [];
  });
}

export interface SettingDescription {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** Whether its schema has `.meta({ secret: true })`. Such a value belongs in a secret store. */
  readonly isSecret: boolean;
  /** Whether it has an effect only with `--http`. */
  readonly isForHttp: boolean;
  /** As written in the environment. */
  readonly default?: string;
}

/** Describes each setting, the service's own first. */
export function describeSettings(service: z.ZodType): readonly SettingDescription[] {
  return [service, settings].flatMap((schema) =>
    Object.entries(shapeOf(schema)).map(([name, field]) => {
      const unset = field.safeParse(undefined);
      const text = textOf(unset.data);
      return {
        name,
        description: field.description ?? '',
        isRequired: !unset.success,
        isSecret: field.meta()?.['secret'] === true,
        isForHttp: schema === settings && name in overHttp,
        ...(text !== undefined && { default: text }),
      };
    }),
  );
}

/** Returns the text that a default value is parsed from. Undefined if there is none. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Returns variables that look like settings of this server but are unknown: misspelt, or of another version. */
export function unknownSettings(service: z.ZodType, source: Source = process.env): string[] {
  const known = new Set(describeSettings(service).map(({ name }) => name));
  return Object.keys(source).filter((name) => name.startsWith('MCP_') && !known.has(name));
}

/** Whether OpenTelemetry's own variables name an endpoint. Its SDK reads them itself. */
export function wantsTelemetry(source: Source = process.env): boolean {
  const given = present(source);
  const isNamed = (name: string) =>
    /^OTEL_(EXPORTER_OTLP_(\w+_)?ENDPOINT|(TRACES|METRICS)_EXPORTER)$/.test(name) &&
    given[name] !== 'none';
  return given['OTEL_SDK_DISABLED'] !== 'true' && Object.keys(given).some(isNamed);
}

/** Returns the shape of an object schema, or of the input of a pipe. */
function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.ZodType>> {
  if (schema instanceof z.ZodPipe) return shapeOf(schema.in);
  return schema instanceof z.ZodObject ? schema.shape : {};
}
