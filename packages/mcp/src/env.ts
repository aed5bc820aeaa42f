/** The program's settings: read once, validated and frozen. The only module that reads `process.env`. */
import { z } from 'zod';
import { logLevels } from './core/context/log.ts';
import {
  address,
  audience,
  bearerToken,
  flag,
  host,
  isQuoted,
  issuer,
  list,
  messageOf,
  namedToken,
  oneOf,
  origin,
  redisUrl,
  scope,
  stateKey,
  wholeNumber,
} from './setting-values.ts';

const everywhere = {
  LOG_LEVEL: z
    .string()
    .toLowerCase()
    .pipe(oneOf(...logLevels))
    .default('info')
    .describe('How much is logged, as JSON lines on stderr.'),
  MCP_READ_ONLY: flag.default(false).describe('1 serves only tools that change nothing.'),
  MCP_TOOLS: list.describe('The tools and toolsets to serve; all without it.'),
  MCP_DRAIN_SECONDS: wholeNumber(0, 3_600)
    .default(10)
    .describe('Seconds that running calls have to finish at the end.'),
};

const overHttp = {
  MCP_HOST: address.default('127.0.0.1').describe('The address that --http listens on.'),
  MCP_PORT: wholeNumber(0, 65_535)
    .default(3333)
    .describe('The port that --http listens on; 0 for any free one.'),
  MCP_ALLOWED_HOSTS: list
    .pipe(z.array(host))
    .describe('Further Host names, with commas or spaces between.'),
  MCP_ALLOWED_ORIGINS: list.pipe(z.array(origin)).describe('Origins of browser clients.'),
  MCP_PUBLIC_URL: origin
    .optional()
    .describe('The origin that clients use, if the server is behind a proxy.'),
  MCP_BEARER_TOKEN: bearerToken
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
  MCP_OAUTH_AUDIENCE: audience.optional().describe('The audience that an OAuth token must have.'),
  MCP_OAUTH_SCOPE: list.pipe(z.array(scope)).describe('The scopes that an OAuth token must have.'),
  MCP_RATE_LIMIT: wholeNumber(1, 1_000_000)
    .default(600)
    .describe('Requests a minute for each caller.'),
  MCP_MAX_BODY_BYTES: wholeNumber(1_024, 1024 ** 3)
    .default(1024 ** 2)
    .describe('Maximum bytes of a request body.'),
  MCP_SESSIONS: flag.default(false).describe('1 keeps a session for each client.'),
  MCP_SESSION_IDLE_SECONDS: wholeNumber(1, 86_400)
    .default(600)
    .describe('Seconds after which an unused session ends.'),
  MCP_MAX_SESSIONS: wholeNumber(1, 1_000_000)
    .default(1_000)
    .describe('Maximum sessions; the one idle longest is dropped for a new one.'),
  MCP_STATE_KEY: list
    .pipe(z.array(stateKey).max(2, { error: 'must have no more than two keys' }))
    .describe(
      'Encrypts the state of a question; the same for all processes: 32 characters or more.',
    )
    .meta({ secret: true }),
  REDIS_URL: redisUrl
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
  return Object.freeze(parseSettingsOf(settings, source));
}

/**
 * Reads the settings of another program, such as a service for development.
 *
 * @throws SettingError
 */
export function parseSettingsOf<Schema extends z.ZodType>(
  schema: Schema,
  source: Source = process.env,
): z.output<Schema> {
  const read = readBy(schema, source);
  if ('value' in read) return read.value;
  throw new SettingError(read.problems[0]);
}

/** Treats empty values as unset, because shells and client configurations often cannot distinguish the two. */
function present(source: Source): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
}

type Read<Value> = { readonly value: Value } | { readonly problems: readonly string[] };

function readBy<Schema extends z.ZodType>(schema: Schema, source: Source): Read<z.output<Schema>> {
  const given = present(source);
  const result = schema.safeParse(given);
  const quoted = Object.keys(shapeOf(schema)).filter((name) => isQuoted(given[name] ?? ''));
  const others = result.error?.issues.filter(({ path }) => !quoted.includes(String(path[0]))) ?? [];
  const problems = [
    ...quoted.map((name) => `${name} must not be in quotes.`),
    ...others.map((issue) => {
      const name = String(issue.path[0]);
      const isMissing = issue.code === 'invalid_type' && !(name in given);
      return `${name} ${isMissing ? 'is required' : messageOf(issue, given[name])}.`;
    }),
  ];
  return result.success && problems.length === 0 ? { value: result.data } : { problems };
}

/**
 * Reads the settings of this process and those of the service.
 *
 * @throws SettingError
 */
export function readSettings<Schema extends z.ZodType>(
  service: Schema,
): { readonly settings: Settings; readonly serviceSettings: z.output<Schema> } {
  return { settings: parseSettings(process.env), serviceSettings: parseSettingsOf(service) };
}

/** Returns one sentence for each missing or malformed setting in this process's environment. */
export function settingProblems(service: z.ZodType, source: Source = process.env): string[] {
  return [settings, service].flatMap((schema) => {
    const read = readBy(schema, source);
    return 'problems' in read ? read.problems : [];
  });
}

export interface SettingDescription {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** Whether its schema has `.meta({ secret: true })`. Such a value belongs in a secret store. */
  readonly isSecret: boolean;
  /** Whether it is 0 or 1. */
  readonly isFlag: boolean;
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
        isSecret: metaOf(field)['secret'] === true,
        isFlag: metaOf(field)['kind'] === 'flag',
        isForHttp: schema === settings && name in overHttp,
        ...(text !== undefined && { default: text }),
      };
    }),
  );
}

/** The metadata of a schema and of the one that it wraps, such as with a default. */
function metaOf(field: z.core.$ZodType): Readonly<Record<string, unknown>> {
  const own = z.globalRegistry.get(field) ?? {};
  const { innerType } = field._zod.def as { innerType?: z.core.$ZodType };
  return innerType ? { ...metaOf(innerType), ...own } : own;
}

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

function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.ZodType>> {
  if (schema instanceof z.ZodPipe) return shapeOf(schema.in);
  return schema instanceof z.ZodObject ? schema.shape : {};
}
