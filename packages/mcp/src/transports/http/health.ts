/** `/healthz`: the process responds. `/readyz`: it is ready to serve, for load balancers. */
import type { GateResponse } from '../gate/exchange.ts';

const ready: GateResponse = { status: 200, body: { status: 'ready' } };
const notReady: GateResponse = { status: 503, body: { status: 'unavailable' } };
const draining: GateResponse = { status: 503, body: { status: 'draining' } };

export const alive: GateResponse = { status: 200, body: { status: 'ok' } };

/** How long a result is cached, so that probes do not become load on the upstream. */
const cacheMilliseconds = 1_000;
const probeMilliseconds = 2_000;

export function createReadiness(
  isReady: (signal: AbortSignal) => Promise<boolean>,
  isDraining: () => boolean,
): () => Promise<GateResponse> {
  let latest: { readonly at: number; readonly response: Promise<GateResponse> } | undefined;

  const probe = async (): Promise<GateResponse> => {
    const signal = AbortSignal.timeout(probeMilliseconds);
    const late = new Promise<false>((resolve) => {
      signal.addEventListener('abort', () => {
        resolve(false);
      });
    });
    const isUp = await Promise.race([isReady(signal), late]).catch(() => false);
    return isUp ? ready : notReady;
  };

  return async () => {
    if (isDraining()) return draining;
    if (!latest || performance.now() - latest.at > cacheMilliseconds) {
      latest = { at: performance.now(), response: probe() };
    }
    return latest.response;
  };
}
