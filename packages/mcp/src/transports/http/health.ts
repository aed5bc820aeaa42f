/** `/healthz`: the process responds. `/readyz`: it is ready to serve, for load balancers. */
import type { Answer } from '../gate/exchange.ts';

const ready: Answer = { status: 200, body: { status: 'ready' } };
const notReady: Answer = { status: 503, body: { status: 'unavailable' } };
const draining: Answer = { status: 503, body: { status: 'draining' } };

export const alive: Answer = { status: 200, body: { status: 'ok' } };

/** How long a result is cached, so that probes do not become load on the upstream. */
const cacheMilliseconds = 1_000;
const probeMilliseconds = 2_000;

export function createReadiness(
  isReady: (signal: AbortSignal) => Promise<boolean>,
  isDraining: () => boolean,
): () => Promise<Answer> {
  let asked: { readonly at: number; readonly answer: Promise<Answer> } | undefined;

  const ask = async (): Promise<Answer> => {
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
    if (!asked || performance.now() - asked.at > cacheMilliseconds) {
      asked = { at: performance.now(), answer: ask() };
    }
    return asked.answer;
  };
}
