/** The settings that every site has: the server's own. */
import { readSource } from '../origins.ts';
import { SettingError, type Setting, type Settings } from './setting.ts';
import { frameAncestors, host, oneOf, origin, port, seconds, wholeNumber } from './values.ts';

export const serverSettings = {
  port: { name: 'PORT', schema: port.default(3000), about: 'The port.', example: '3000' },
  host: {
    name: 'HOST',
    schema: host.default('0.0.0.0'),
    about: 'The address to listen on.',
    example: '0.0.0.0',
  },
  siteOrigin: {
    name: 'SITE_ORIGIN',
    schema: origin.optional(),
    about:
      'The site’s origin in the visitor’s address bar or frame. Capitals, a default port and international names are normalised. The site trusts this setting, and never `Host` or `X-Forwarded-*` headers.',
    example: 'https://site.example',
    usually: '`http://localhost:<PORT>`',
    fallback: (env) => `http://localhost:${env.port}`,
  },
  frameAncestors: {
    name: 'PLATFORM_FRAME_ANCESTORS',
    schema: frameAncestors.default(["'none'"]),
    about: "Who may frame the site: origins and `'self'`, separated by spaces, or `'none'`.",
    example: 'https://platform.example',
    usually: "`'none'`",
  },
  logLevel: {
    name: 'LOG_LEVEL',
    schema: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').optional(),
    about:
      '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. Requests are logged at `info`, routine responses at `debug`.',
    example: 'info',
    usually: '`info`; `warn` in development',
    fallback: (env) => (env.mode === 'development' ? 'warn' : 'info'),
  },
  maxConnections: {
    name: 'MAX_CONNECTIONS',
    schema: wholeNumber((number) => number.min(1, 'must be at least 1')).default(1_000),
    about: 'Maximum simultaneous connections. Further ones are closed at once, and logged.',
    example: '1000',
  },
  shutdownDelay: {
    name: 'SHUTDOWN_DELAY_SECONDS',
    schema: seconds(300).optional(),
    about:
      'How long the site accepts new connections after SIGTERM, when `/readyz` becomes 503. Must be longer than your load balancer takes to notice.',
    example: '5',
    usually: '`5`; `0` in development',
    fallback: (env) => (env.mode === 'production' ? 5 : 0),
  },
  mode: {
    name: 'NODE_ENV',
    schema: oneOf('development', 'production', 'test').default('production'),
    about: '`npm run dev` sets `development`: errors are shown, and Vite serves the files.',
  },
} as const satisfies Settings;

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

/** For sites that limit attempts by the visitor's address. */
export const trustedProxies = {
  name: 'TRUSTED_PROXIES',
  schema: wholeNumber((number) =>
    number.min(0, 'must not be negative').max(10, 'must be at most 10'),
  ).default(0),
  about:
    'How many proxies in front of the site append to `x-forwarded-for`. Sign-in is rate-limited by the resulting address, an IPv6 one by its /64, and an IPv4 one as such however IPv6 writes it (mapped, NAT64, 6to4); addresses of private and shared networks are not limited.',
  example: '0',
} as const satisfies Setting;
