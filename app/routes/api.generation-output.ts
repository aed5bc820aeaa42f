/** `/api/generations/:id/output.<extension>`: a finished picture's bytes (W27). */
import contentDisposition from 'content-disposition';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { checkPlatformUser, guardFailureResponse } from '~/platform/platform.server';
import { createPlatformSdk } from '~/platform/sdk.server';
import { answer, refusal } from '~/platform/api-answers.server';

export async function loader({ params, context }: LoaderFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);

  const [, extension] = /^output\.([a-z]+)$/.exec(params.file ?? '') ?? [];
  if (!extension) return refusal(404, 'not_found');
  return answer(async () => {
    const picture = await createPlatformSdk(guard).readOutput(params.id ?? '', extension);
    return new Response(picture.bytes, {
      headers: {
        'content-type': picture.contentType,
        'content-length': String(picture.bytes.byteLength),
        'content-disposition': contentDisposition(picture.filename, { type: 'inline' }),
      },
    });
  });
}

export const action = () => refusal(405, 'method_not_allowed', { allow: 'GET, HEAD' });
