/** Publishes the changes of one process to the subscribers of others, through Redis. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Runtime } from '../../adapters/runtime.ts';
import type { Change } from '../../core/context/changes.ts';
import { connectRedis } from './redis-connection.ts';

const message = z.object({
  /** The id of the publishing process. */
  from: z.string(),
  change: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('resource'), uri: z.string() }),
    z.object({ kind: z.enum(['resource list', 'unknown']) }),
  ]),
  callerId: z.string().optional(),
});

/**
 * Shares changes between processes. While Redis is unavailable, each process notifies its own subscribers. When it
 * is back, every client is notified of everything it subscribed to, because changes may have been missed.
 *
 * @param redisUrl Absent with a single process.
 * @returns A function that stops the sharing.
 */
export async function shareChanges(
  { subscriptions, service, log }: Runtime,
  redisUrl: string | undefined,
): Promise<() => void> {
  if (redisUrl === undefined || !subscriptions.isOffered) return () => undefined;
  const from = randomUUID();
  const channel = `${service.name}:changes`;
  // A subscribed connection cannot send other commands.
  const { redis: subscriber, reportLost } = await connectRedis(redisUrl, (error) => {
    log.warn('Redis is unreachable: changes are announced in this process only', { error });
  });
  const { redis: publisher } = await connectRedis(redisUrl);

  let isSomethingUnsent = false;
  const send = (change: Change, callerId?: string) => {
    const text = JSON.stringify({ from, change, callerId } satisfies z.output<typeof message>);
    publisher.publish(channel, text).catch(() => (isSomethingUnsent = true));
  };
  publisher.on('ready', () => {
    if (!isSomethingUnsent) return;
    isSomethingUnsent = false;
    send({ kind: 'unknown' });
  });
  const stopSending = subscriptions.listenToOwn(send);

  subscriber.on('ready', () => {
    subscriber.subscribe(channel).then(() => {
      subscriptions.publish({ kind: 'unknown' });
    }, reportLost);
  });
  subscriber.on('message', (_, text) => {
    const received = message.safeParse(parsed(text));
    if (received.success && received.data.from !== from) {
      subscriptions.publish(received.data.change, received.data.callerId);
    }
  });
  return () => {
    stopSending();
    subscriber.disconnect();
    publisher.disconnect();
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
