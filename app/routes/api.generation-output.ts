/** `/api/generations/:id/output.<extension>`: the bytes of a finished picture or clip (W27). */
import type { LoaderFunctionArgs } from '@remix-run/node';
import { checkPlatformUser, createPlatformSdk } from '~/platform.server';
import {
  answer,
  fileAnswer,
  guardFailureResponse,
  partOf,
  refusal,
} from '@gatehouse/platform/server';

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok) return guardFailureResponse(guard);

  const [, extension] = /^output\.([a-z\d]+)$/.exec(params.file ?? '') ?? [];
  if (!extension) return refusal(404, 'not_found');
  return answer(async () => {
    const sdk = createPlatformSdk(guard);
    return fileAnswer(
      request,
      await sdk.generations.readOutput(params.id ?? '', extension, partOf(request)),
    );
  });
}

export const action = () => refusal(405, 'method_not_allowed', { allow: 'GET, HEAD' });
