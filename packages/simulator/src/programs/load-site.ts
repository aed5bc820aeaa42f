/** Loads `e2e/site.ts`, in which a site defines its platform. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { z } from 'zod';

import type { Operation, PlatformDefinition, SiteAccounts, SiteDefinition } from '../definition.ts';
import { siteFolder } from './program.ts';

const file = 'e2e/site.ts';

const aFunction = z.custom(
  (value) => typeof value === 'function',
  'Invalid input: expected a function',
);

/** Exactly the fields of a type, so that no valid site is refused. */
type FieldsOf<T> = Record<keyof T, z.ZodType>;

const operation = z.strictObject({
  name: z.string().min(1),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string().startsWith('/'),
  isRead: z.literal(true).optional(),
  once: z.literal(true).optional(),
  maxBytes: z.number().int().positive().optional(),
  run: aFunction,
} satisfies FieldsOf<Operation<unknown>>);

const platform = z.strictObject({
  personas: z.unknown(),
  createState: aFunction,
  settle: aFunction.optional(),
  operations: z.array(operation),
} satisfies FieldsOf<PlatformDefinition<unknown>>);

const accounts = z.strictObject({
  signUp: aFunction,
  signIn: aFunction,
  passingTables: z.array(z.string()).optional(),
} satisfies FieldsOf<SiteAccounts>);

const published = z
  .strictObject({
    table: z.string().min(1),
    columns: z.array(z.string().min(1)).min(1),
    where: z.string().trim().min(1).optional(),
    members: z.array(z.string().trim().min(1)).min(1).optional(),
    role: z.string().min(1).optional(),
  })
  .refine(
    ({ where, members }) => where !== undefined || members !== undefined,
    'Invalid input: `where` says which rows everybody may see, `members` which accounts may',
  )
  .refine(
    ({ members, role }) => members === undefined || role === undefined,
    'Invalid input: `members` says which accounts may see a row, `role` which pages show it: write two entries',
  );

const siteSchema = z.strictObject({
  platform,
  auth: z.enum(['platform', 'in-app', 'both']).optional(),
  accounts: accounts.optional(),
  addresses: z.array(z.string().startsWith('/')).optional(),
  prepare: aFunction.optional(),
  published: z.array(published).optional(),
  requests: aFunction.optional(),
  settings: z.record(z.string(), z.string()).optional(),
} satisfies FieldsOf<SiteDefinition<unknown>>);

/**
 * Loads a site's definition.
 *
 * @throws {Error} one sentence when the file is missing, does not load, or does not export a site.
 */
export async function loadSite(): Promise<SiteDefinition<unknown>> {
  const place = path.join(siteFolder, file);
  if (!existsSync(place)) {
    throw new Error(
      `There is no ${file}: it says what the simulated platform can do for the site.`,
    );
  }
  const loaded = (await import(pathToFileURL(place).href).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${file} failed to load: ${reason}`, { cause: error });
  })) as { default?: unknown };
  const parsed = siteSchema.safeParse(loaded.default);
  if (!parsed.success) {
    const { path: where = [], message = 'unreadable' } = parsed.error.issues[0] ?? {};
    const at = ['default', ...where].join('.');
    throw new Error(`${file} does not export a valid site, at ${at}: ${message}.`);
  }
  return loaded.default as SiteDefinition<unknown>;
}
