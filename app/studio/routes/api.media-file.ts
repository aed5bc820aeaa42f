/** `/api/media/:id/file.<extension>`: the bytes of a file that the visitor uploaded (W27). */
import type { LoaderFunctionArgs } from '@remix-run/node';
import { requirePlatformSdk } from '~/platform.server';
import { fileResponse, partOf, refusal } from '@gatehouse/platform/server';

export async function loader(args: LoaderFunctionArgs) {
  const { sdk } = await requirePlatformSdk(args);
  const { request, params } = args;
  const [, extension] = /^file\.([a-z\d]+)$/.exec(params.file ?? '') ?? [];
  if (!extension) return refusal(404, 'not_found');
  const { id = '' } = params;
  return fileResponse(request, await sdk.media.read(id, extension, partOf(request)));
}

export const action = () => refusal(405, 'method_not_allowed', { allow: 'GET, HEAD' });
