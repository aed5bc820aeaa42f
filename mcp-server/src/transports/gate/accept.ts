/** The caller takes what this endpoint gives: JSON and event streams for a POST, an event stream for a GET. */
import { errorCode, refusal, type Middleware } from './exchange.ts';

const json = ['application/json', 'application/*', '*/*'];
const eventStream = ['text/event-stream', 'text/*', '*/*'];

/** Whether each range of an Accept header takes what it names: not with `q=0`. */
function rangesOf(header: string): ReadonlyMap<string, boolean> {
  return new Map(
    header.split(',').map((range) => {
      const [name = '', ...parameters] = range.toLowerCase().split(';');
      return [name.trim(), !parameters.some((each) => /^\s*q=0(\.0*)?\s*$/.test(each))];
    }),
  );
}

/** Of the ranges that stand for a type, the one that names it best decides (RFC 9110, section 12.5.1). */
function takes(ranges: ReadonlyMap<string, boolean>, names: readonly string[]): boolean {
  const best = names.find((name) => ranges.has(name));
  return best !== undefined && ranges.get(best) === true;
}

/** A POST may be answered in either way, so that its caller takes both, as the protocol asks of clients. */
export function checkAccept(): Middleware {
  const neither = refusal(
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
    if (request.method !== 'POST' && request.method !== 'GET') return undefined;
    const ranges = rangesOf(request.headers.accept ?? '');
    if (request.method === 'GET') return takes(ranges, eventStream) ? undefined : noStream;
    return takes(ranges, json) && takes(ranges, eventStream) ? undefined : neither;
  };
}
