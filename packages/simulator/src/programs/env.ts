/** The simulator's settings. The only module of the harness that reads `process.env`. */
import { z } from 'zod';

const port = z
  .string()
  // JavaScript would also read a space as 0, and `1e3`.
  .regex(/^\d+$/, { error: 'a port number', abort: true })
  .transform(Number)
  .pipe(z.number().max(65_535, 'a port number'));

const anUpstream = 'an http address such as http://127.0.0.1:3000';

const SETTINGS = {
  PLATFORM_PORT: port.default(4000),
  PLATFORM_INTERNAL_PORT: port.default(4001),
  SITE_UPSTREAM: z
    .url({ protocol: /^https?$/, error: anUpstream, abort: true })
    // A password may end the host early, and the sentence below would show a part of it.
    .refine((text) => !text.includes('@'), { error: anUpstream, abort: true })
    .transform((text, context) => {
      const { origin, href } = new URL(text);
      if (href === `${origin}/`) return origin;
      context.addIssue({ code: 'custom', message: `${origin}, without anything after the port` });
      return z.NEVER;
    })
    .default('http://127.0.0.1:3000'),
  /** The site's own port under `npm run dev`. */
  PORT: port.default(3000),
  /** The ports of the MCP server and of the example service under `npm run dev`. */
  MCP_PORT: port.default(3333),
  EXAMPLE_SERVICE_PORT: port.default(4010),
};

const settingsSchema = z.object(SETTINGS);

export type HarnessSettings = z.infer<typeof settingsSchema>;

/**
 * Reads the settings.
 *
 * @throws {Error} one sentence that names the malformed setting.
 */
export function readSettings(
  env: Record<string, string | undefined> = process.env,
): HarnessSettings {
  // An empty value counts as unset, as for the site.
  const present = Object.entries(env).filter(([, value]) => value !== '');
  const parsed = settingsSchema.safeParse(Object.fromEntries(present));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${String(issue?.path[0])} must be ${issue?.message ?? 'well-formed'}.`);
}

/**
 * Creates a handler for the error of a server that could not listen.
 *
 * @param setting the one to change.
 * @returns a function that throws one sentence naming the setting; it rethrows any other error.
 */
export function explainPort(setting: keyof HarnessSettings, port: number) {
  return (error: unknown): never => {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new Error(
        `Port ${port} is taken, perhaps by another \`npm run dev\`; \`lsof -i :${port}\` names the process. End it, or set ${setting} to another.`,
      );
    }
    if (code === 'EACCES') {
      throw new Error(`Port ${port} needs more privileges: set ${setting} to another port.`);
    }
    throw error;
  };
}

/** The settings of browser tests. */
export function testSettings(): {
  path: string;
  ci: string;
  jsonReport: string | undefined;
  /** How many times as long as on an ordinary machine things take here, once the global setup has measured it. */
  slowness: number;
} {
  const { PATH = '', CI = '', E2E_JSON_REPORT, MACHINE_SLOWNESS = '1' } = process.env;
  return {
    ...{ path: PATH, ci: CI, jsonReport: E2E_JSON_REPORT },
    slowness: Number(MACHINE_SLOWNESS),
  };
}

/** For this process and those that it starts: Playwright's workers read the configuration again. */
export function setSlowness(slowness: number): void {
  process.env['MACHINE_SLOWNESS'] = String(slowness);
}

/**
 * The environment of a child process: defaults, overridden by this process's environment, then by `changes`.
 */
export function childEnv(
  changes: Record<string, string>,
  defaults: Record<string, string> = {},
): NodeJS.ProcessEnv {
  return { ...defaults, ...process.env, ...changes };
}
