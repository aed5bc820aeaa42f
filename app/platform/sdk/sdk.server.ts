/**
 * The SDK's HTTP adapter (W12, W13). It opens to a passed guard and to nothing else, and what comes
 * back through it is safe website data: internals of the platform end here.
 */
import { z } from 'zod';
import { siteEnv } from '~/env.server';
import { contextOf, type PassedGuard, type PlatformContext } from '~/platform/platform.server';
import { pictureExtensions, type Generation } from './sdk';
import { createSdkCalls, type ErrorCodes } from './calls.server';
import { createFileOperations } from './files.server';
import { createMemorySdk } from './memory.server';
import { PlatformSdkError, type PlatformSdk } from './port.server';

/**
 * @param guard what `checkPlatformUser` passed in this request.
 * @throws {TypeError} the guard was made by anything else.
 * @throws {PlatformSdkError} 502: the guard passed, but the profile was unreadable. There is nobody
 *   to act for.
 */
export function createPlatformSdk(guard: PassedGuard): PlatformSdk {
  const context = contextOf(guard);
  if (typeof guard.user !== 'object' || guard.user === null || Array.isArray(guard.user)) {
    throw new PlatformSdkError(502, 'upstream_unavailable');
  }
  return siteEnv().offlineDemo ? createMemorySdk() : createHttpSdk(context);
}

const pageSize = 24;

/** What is half a character cannot be put in an address. */
const addressable = z.string().refine((text) => text.isWellFormed());

const upstreamGeneration = z.object({
  id: addressable.min(1),
  prompt: z.string().transform((prompt) => prompt.toWellFormed()),
  status: z.enum(['queued', 'running', 'succeeded', 'failed']),
  progress: z.number().min(0).max(1).catch(0),
  created_at: z.iso.datetime({ offset: true }),
  output: z
    .object({
      content_type: z.string(),
      width: z.number().int().positive().nullish(),
      height: z.number().int().positive().nullish(),
    })
    .nullish(),
});

const upstreamPage = z.object({
  items: z.array(upstreamGeneration),
  next_cursor: addressable.nullish(),
});

function createHttpSdk(context: PlatformContext): PlatformSdk {
  const calls = createSdkCalls(context);
  const files = createFileOperations(calls);
  return {
    async submitGeneration({ prompt }) {
      const submission = { method: 'POST', path: '/generations', json: { prompt } } as const;
      const codes: ErrorCodes = { 422: 'invalid_prompt' };
      return toGeneration(await calls.call(upstreamGeneration, submission, codes));
    },
    async getGeneration(id) {
      const codes: ErrorCodes = { 404: 'not_found' };
      return toGeneration(await calls.call(upstreamGeneration, { path: pathOf(id) }, codes));
    },
    async listGenerations({ cursor } = {}) {
      const query = new URLSearchParams({ limit: String(pageSize), ...(cursor && { cursor }) });
      // Nothing else of this question can be wrong but the cursor, where there is one.
      const codes: ErrorCodes = cursor ? { 422: 'invalid_cursor' } : {};
      const page = await calls.call(upstreamPage, { path: `/generations?${query}` }, codes);
      return { items: page.items.map(toGeneration), nextCursor: page.next_cursor ?? null };
    },
    async readOutput(id, extension, part) {
      return files.readPicture({ path: `${pathOf(id)}/output`, id, extension, part });
    },
    uploadMedia: (file, options) => files.uploadMedia(file, options),
  };
}

/** An id as one segment of a path. `.` and `..` cannot be one: a URL parser takes them as steps. */
function pathOf(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new PlatformSdkError(404, 'not_found');
  return `/generations/${encodeURIComponent(id)}`;
}

function toGeneration(value: z.infer<typeof upstreamGeneration>): Generation {
  const type = value.output?.content_type.split(';')[0]?.trim().toLowerCase();
  const extension = pictureExtensions.get(type ?? '');
  return {
    id: value.id,
    prompt: value.prompt,
    status: value.status,
    progress: value.status === 'succeeded' ? 1 : value.progress,
    createdAt: value.created_at,
    output:
      value.status === 'succeeded' && value.output && extension
        ? {
            url: `/api/generations/${encodeURIComponent(value.id)}/output.${extension}`,
            filename: `${value.id}.${extension}`,
            width: value.output.width ?? null,
            height: value.output.height ?? null,
          }
        : null,
  };
}
