/** A message is JSON, and says so: a form or plain text is what a page may send without being asked. */
import { errorCode, refusal, type Middleware } from './exchange.ts';

export function checkContentType(): Middleware {
  const refused = refusal(
    415,
    errorCode.refused,
    'Unsupported Media Type: Content-Type must be application/json.',
  );
  return ({ request }) => {
    if (request.method !== 'POST') return undefined;
    const encoding = request.headers['content-encoding'] ?? 'identity';
    const type = request.headers['content-type'] ?? '';
    const [mediaType = '', ...parameters] = type.split(';');
    const charset = parameters.map((each) => each.trim().toLowerCase());
    const isUtf8 = charset.every(
      (each) => !each.startsWith('charset=') || /^charset="?utf-8"?$/.test(each),
    );
    return mediaType.trim().toLowerCase() === 'application/json' &&
      isUtf8 &&
      encoding === 'identity'
      ? undefined
      : refused;
  };
}
