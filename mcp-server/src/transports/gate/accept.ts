/** The caller takes what this endpoint gives: JSON for a POST, an event stream for a GET. */
import { errorCode, refusal, type Middleware } from './exchange.ts';

/** True when the Accept header takes this type, by its name or by a wildcard, and not with `q=0`. */
export function accepts(
  header: string | undefined,
  type: 'application/json' | 'text/event-stream',
): boolean {
  if (header === undefined) return false;
  const group = `${type.slice(0, type.indexOf('/'))}/*`;
  return header.split(',').some((range) => {
    const [name = '', ...parameters] = range.toLowerCase().split(';');
    const accepted = [type, group, '*/*'].includes(name.trim());
    return accepted && !parameters.some((each) => /^\s*q=0(\.0*)?\s*$/.test(each));
  });
}

export function checkAccept(): Middleware {
  const noJson = refusal(
    406,
    errorCode.refused,
    'Not Acceptable: Accept must list application/json and text/event-stream.',
  );
  const noStream = refusal(
    406,
    errorCode.refused,
    'Not Acceptable: Accept must list text/event-stream.',
  );
  return ({ request }) => {
    const { accept } = request.headers;
    if (request.method === 'POST') return accepts(accept, 'application/json') ? undefined : noJson;
    if (request.method === 'GET')
      return accepts(accept, 'text/event-stream') ? undefined : noStream;
    return undefined;
  };
}
