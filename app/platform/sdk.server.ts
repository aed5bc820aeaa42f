/**
 * The SDK's HTTP adapter (W12, W13). It opens to a passed guard and to nothing else, and what comes
 * back through it is safe website data: internals of the platform end here.
 */
import { fileTypeFromBuffer } from 'file-type';
import { z } from 'zod';
import { siteEnv } from '~/server/env.server';
import { contextOf, type PassedGuard, type PlatformContext } from './platform.server';
import { pictureExtensions, type Generation, type PlatformErrorCode } from './sdk';
import { createMemorySdk } from './sdk-memory.server';
import { PlatformSdkError, type PlatformSdk } from './sdk-port.server';
import { reportUpstreamFailure } from './upstream-failures.server';
import {
  callUpstream,
  UpstreamFailure,
  type UpstreamAnswer,
  type UpstreamCall,
} from './upstream.server';

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

const outputDeadline = 30_000;
const outputMaxBytes = 25 * 1024 * 1024;
const pageSize = 24;
const knownExtensions = new Set(pictureExtensions.values());

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

type ErrorCodes = Partial<Record<number, PlatformErrorCode>>;

/**
 * Statuses that tell the visitor something, whatever was asked. What another one means depends on
 * that; where it means nothing, it is the platform's trouble: 502.
 */
const errorCodes: ErrorCodes = {
  401: 'unauthorized',
  402: 'insufficient_credits',
  403: 'forbidden',
  429: 'rate_limited',
};

function createHttpSdk({ signal, requestId }: PlatformContext): PlatformSdk {
  /** The platform answered, and the answer is of no use. The log hears why, the visitor does not. */
  const unusable = (path: string, reason: string) => {
    reportUpstreamFailure({ path, reason, requestId });
    return new PlatformSdkError(502, 'upstream_unavailable');
  };

  const call = async (options: UpstreamCall, codes: ErrorCodes): Promise<UpstreamAnswer> => {
    const answer = await callUpstream({ ...options, signal, requestId }).catch((error: unknown) => {
      if (!(error instanceof UpstreamFailure)) throw error;
      throw new PlatformSdkError(error.status, 'upstream_unavailable', { cause: error });
    });
    if (answer.status >= 200 && answer.status <= 299) return answer;
    const code = errorCodes[answer.status] ?? codes[answer.status];
    throw code
      ? new PlatformSdkError(answer.status, code)
      : unusable(options.path, `status ${answer.status}`);
  };

  const callFor = async <T>(
    schema: z.ZodType<T>,
    options: UpstreamCall,
    codes: ErrorCodes,
  ): Promise<T> => {
    const { body } = await call(options, codes);
    try {
      return schema.parse(JSON.parse(body.toString('utf8')));
    } catch {
      // What was caught quotes the body, which belongs in no log.
      throw unusable(options.path, 'unexpected body');
    }
  };

  return {
    async submitGeneration({ prompt }) {
      const submission = { method: 'POST', path: '/generations', json: { prompt } } as const;
      const codes: ErrorCodes = { 422: 'invalid_prompt' };
      return toGeneration(await callFor(upstreamGeneration, submission, codes));
    },
    async getGeneration(id) {
      const codes: ErrorCodes = { 404: 'not_found' };
      return toGeneration(await callFor(upstreamGeneration, { path: pathOf(id) }, codes));
    },
    async listGenerations({ cursor } = {}) {
      const query = new URLSearchParams({ limit: String(pageSize), ...(cursor && { cursor }) });
      // Nothing else of this question can be wrong but the cursor, where there is one.
      const codes: ErrorCodes = cursor ? { 422: 'invalid_cursor' } : {};
      const page = await callFor(upstreamPage, { path: `/generations?${query}` }, codes);
      return { items: page.items.map(toGeneration), nextCursor: page.next_cursor ?? null };
    },
    async readOutput(id, extension) {
      const path = `${pathOf(id)}/output`;
      // No picture has another extension, so there is none at such an address.
      if (!knownExtensions.has(extension)) throw new PlatformSdkError(404, 'not_found');
      const { body } = await call(
        { path, deadline: outputDeadline, maxBytes: outputMaxBytes },
        { 404: 'not_found', 409: 'not_ready' },
      );
      // What the bytes are, not what is said of them, must be what the filename promised.
      const type = await fileTypeFromBuffer(body);
      if (!type || pictureExtensions.get(type.mime) !== extension) {
        throw unusable(path, `bytes of type ${type?.mime ?? 'unknown'}`);
      }
      return { bytes: body, contentType: type.mime, filename: `${id}.${extension}` };
    },
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
