/** `/api/generations/archive?id=…&id=…`: streams several generations' outputs as one zip. */
import type { LoaderFunctionArgs } from '@remix-run/node';
import { makeZip } from 'client-zip';
import contentDisposition from 'content-disposition';
import { requirePlatformSdk, type PlatformSdk } from '~/platform.server';
import { PlatformSdkError, refusal } from '@gatehouse/platform/server';
import type { Generation } from '~/platform/generations/generations';
import { archiveFilename, archiveMax } from '../feed/archive';

export async function loader(args: LoaderFunctionArgs) {
  const { sdk } = await requirePlatformSdk(args);
  const { request } = args;
  // A parameter for each: an id may contain any separator.
  const ids = [...new Set(new URL(request.url).searchParams.getAll('id').filter(Boolean))];
  if (ids.length === 0 || ids.length > archiveMax) return refusal(422, 'invalid_order');
  // All are looked up before the first byte, while a status can still be sent.
  const generations = await Promise.all(ids.map((id) => sdk.generations.get(id)));
  if (generations.some(({ output }) => !output)) throw new PlatformSdkError(409, 'not_ready');
  const isHead = request.method === 'HEAD';
  return new Response(isHead ? null : makeZip(outputsOf(sdk, generations)), {
    headers: {
      'content-type': 'application/zip',
      'content-disposition': contentDisposition(archiveFilename),
      'cache-control': 'private, no-store, no-transform',
    },
  });
}

export const action = () => refusal(405, 'method_not_allowed', { allow: 'GET, HEAD' });

/**
 * Opens each output only when it is needed. If one fails, the archive is aborted: a partial file is
 * useless.
 */
async function* outputsOf(
  { generations: files }: PlatformSdk,
  generations: readonly Generation[],
): AsyncGenerator<{ name: string; lastModified: string; input: ReadableStream<Uint8Array> }> {
  for (const { id, output, createdAt } of generations) {
    const extension = output?.filename.split('.').at(-1) ?? '';
    const { body, filename } = await files.readOutput(id, extension);
    // An id is the platform's: a slash in it would place the file in another folder.
    const name = filename.replaceAll(/[/\\]/g, '_');
    yield { name, lastModified: createdAt, input: body };
  }
}
