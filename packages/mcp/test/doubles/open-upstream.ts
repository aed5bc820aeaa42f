/** Upstream clients connected to a double. */
import { afterEach, beforeEach } from 'vitest';
import type { Cancellation } from '../../src/core/context/cancellation.ts';
import type { CallTiming } from '../../src/core/context/tool-context.ts';
import { path } from '../../src/core/upstream/path.ts';
import {
  createUpstream,
  type RequestOptions,
  type Upstream,
  type UpstreamOptions,
} from '../../src/core/upstream/client.ts';
import { startUpstreamDouble, type UpstreamDouble } from '../../src/testing/upstream-double.ts';

/** Starts a double for each test of the file, so that requests of an earlier test cannot reach it. */
export function useService() {
  let double: UpstreamDouble;
  const opened: Upstream[] = [];
  beforeEach(async () => {
    double = await startUpstreamDouble();
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((upstream) => upstream.close()));
    await double.close();
  });
  const service: Omit<UpstreamDouble, 'close'> = {
    get url() {
      return double.url;
    },
    get requests() {
      return double.requests;
    },
    reply: (...replies) => {
      double.reply(...replies);
    },
    next: () => double.next(),
  };

  /** Opens a client that does not wait before retries, but records the delays in `waits`. */
  function open(options: Partial<UpstreamOptions> = {}) {
    const waits: number[] = [];
    const wait = (milliseconds: number) => {
      waits.push(milliseconds);
      return Promise.resolve();
    };
    const upstream = createUpstream({ baseUrl: service.url, retry: { wait }, ...options });
    opened.push(upstream);
    const call = <const Options extends RequestOptions>(
      request: Options = {} as Options,
      cancellation: Cancellation = new AbortController().signal,
      timing?: CallTiming,
    ) =>
      upstream.request(path`/things`, request, { cancellation, timing, caller: { id: 'local' } });
    return { upstream, call, waits };
  }
  return { service, open };
}

export function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => {
      throw new Error('the call did not fail');
    },
    (error: unknown) => error,
  );
}
