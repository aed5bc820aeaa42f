/** What changes in one process is told to who listens in another: by Redis, where there is one. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Runtime } from '../../adapters/runtime.ts';
import type { Change } from '../../core/context/changes.ts';
import { connectRedis } from './redis-connection.ts';

const message = z.object({
  /** The process that tells. */
  from: z.string(),
  change: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('resource'), uri: z.string() }),
    z.object({ kind: z.enum(['resource list', 'unknown']) }),
  ]),
  callerId: z.string().optional(),
});

/**
 * While Redis is away each process tells its own listeners. When it is back, every listener is told of all that it
 * listens to: what changed meanwhile is not known.
 *
 * @param redisUrl Absent where there is one process.
 * @returns Ends it.
 */
export async function shareChanges(
  { subscriptions, service, log }: Runtime,
  redisUrl: string | undefined,
): Promise<() => void> {
  if (redisUrl === undefined || !subscriptions.isOffered) return () => undefined;
  const from = randomUUID();
  const channel = `${service.name}:changes`;
  // A subscribed connection can send no other command.
  const { redis: listening, tellLost } = await connectRedis(redisUrl, (error) => {
    log.warn('Redis cannot be reached: changes are told in this process alone', { error });
  });
  const { redis: telling } = await connectRedis(redisUrl);

  let isSomethingUntold = false;
  const tell = (change: Change, callerId?: string) => {
    const told = JSON.stringify({ from, change, callerId } satisfies z.output<typeof message>);
    telling.publish(channel, told).catch(() => (isSomethingUntold = true));
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
