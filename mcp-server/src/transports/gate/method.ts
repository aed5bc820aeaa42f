/** The methods that the endpoint has: POST alone without sessions; GET and DELETE belong to a session. */
import { errorCode, refusal, type Middleware } from './exchange.ts';

export function checkMethod(methods: readonly string[]): Middleware {
  const refused = refusal(405, errorCode.refused, 'Method not allowed.', {
    allow: methods.join(', '),
  });
  return ({ request }) => (methods.includes(request.method ?? '') ? undefined : refused);
}
