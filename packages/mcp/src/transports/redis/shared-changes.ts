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
  const { redis: listening, tellLost } = await connectRedis(redisUrl, (error) => {
    log.warn('Redis is unreachable: changes are announced in this process only', { error });
  });
  const { redis: telling } = await connectRedis(redisUrl);

  let isSomethingUntold = false;
  const tell = (change: Change, callerId?: string) => {
    const text = JSON.stringify({ from, change, callerId } satisfies z.output<typeof message>);
    telling.publish(channel, text).catch(() => (isSomethingUntold = true));
  };
  telling.on('ready', () => {
    if (!isSomethingUntold) return;
    isSomethingUntold = false;
    tell({ kind: 'unknown' });
  });
  const stopTelling = subscriptions.hearOwn(tell);

  listening.on('ready', () => {
    listening.subscribe(channel).then(() => {
      subscriptions.tell({ kind: 'unknown' });
    }, tellLost);
  });
  listening.on('message', (_, text) => {
    const heard = message.safeParse(parsed(text));
    if (heard.success && heard.data.from !== from) {
      subscriptions.tell(heard.data.change, heard.data.callerId);
    }
  });
  return () => {
    stopTelling();
    listening.disconnect();
    telling.disconnect();
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
