/** The routes of a site of any framework, from a JSON file. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Inventory } from './route.ts';

const listSchema = z.strictObject({
  /** Arguments for node: options, scripts that run before the entry, and the entry. Paths are relative to this file. */
  start: z.array(z.string()).min(1).optional(),
  /** Folders with files that browsers can load, relative to this file. */
  clientFolders: z.array(z.string()).default([]),
  routes: z
    .array(
      z.strictObject({
        path: z.string().startsWith('/'),
        kind: z.enum(['page', 'resource']).default('page'),
        methods: z.array(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])).default(['GET']),
        access: z.enum(['platform', 'account', 'both', 'none', 'machine']).default('platform'),
        role: z.string().optional(),
        cache: z.enum(['public']).optional(),
        shows: z.enum(['published']).optional(),
        file: z.string().optional(),
      }),
    )
    .min(1),
});

export interface ListedSite {
  inventory: Inventory;
  /** Arguments for node; null if the list has no `start`. */
  start: string[] | null;
}

/** @throws {Error} one sentence when the list is not valid. */
export async function readListedRoutes(file: string): Promise<ListedSite> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`There is no list of routes at ${file}.`);
  });
  const folder = path.dirname(file);
  let listed: unknown;
  try {
    listed = JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not valid JSON.`, { cause: error });
  }
  const parsed = listSchema.safeParse(listed);
  if (!parsed.success) {
    const { path: where = [], message = 'unreadable' } = parsed.error.issues[0] ?? {};
    throw new Error(`${file} is not a valid list of routes: ${where.join('.')}: ${message}.`);
  }
  const { routes, clientFolders, start } = parsed.data;
  return {
    start: start?.map((word) => (word.startsWith('-') ? word : path.resolve(folder, word))) ?? null,
    inventory: {
      homeData: null,
      clientFolders: clientFolders.map((name) => path.resolve(folder, name)),
      routes: routes.map(({ cache, shows, methods, ...route }) => ({
        ...route,
        id: route.path,
        file: route.file ?? file,
        isLayout: false,
        isPublic: cache === 'public',
        showsPublished: shows === 'published',
        loader: methods.includes('GET') ? { reachesSdk: null } : null,
        action: methods.some((method) => method !== 'GET') ? { reachesSdk: null } : null,
      })),
    },
  };
}
