/** `subscriptions/listen`: a long-lived request that streams change notifications (MCP 2026-07-28, subscriptions). */
import { z } from 'zod';
import { countComposed } from '../../core/result/text-length.ts';
import type { ChangeListener } from '../../core/context/changes.ts';
import type { Call, Handler } from '../connection.ts';
import { codes, parseParams, ProtocolError } from '../protocol-error.ts';
import { metaKeys } from './envelope.ts';
import type { Subscription } from './subscriptions.ts';

const mostResources = 1_000;

const listenParams = z.object({
  notifications: z.object({
    toolsListChanged: z.boolean().optional(),
    promptsListChanged: z.boolean().optional(),
    resourcesListChanged: z.boolean().optional(),
    resourceSubscriptions: z
      .array(countComposed(z.string().max(2_000)))
      .max(mostResources)
      .optional(),
  }),
});

interface Filter {
  readonly resourcesListChanged?: true;
  readonly resourceSubscriptions?: readonly string[];
}

/** First acknowledges the filter. Responds when the server shuts down, or at once if the filter matches nothing. */
export const listen: Handler = async (params, call) => {
  const { notifications } = parseParams(listenParams, params);
  const { runtime, extra, caller } = call;
  const filter = honoured(notifications, call);
  const _meta = { [metaKeys.subscriptionId]: extra.requestId };
  const send = (method: string, given: object = {}) =>
    extra.sendNotification({ method, params: { ...given, _meta } });
  const news = new News(filter, caller.id);
  const close = runtime.subscriptions.open(news);
  if (!close) throw new ProtocolError(codes.internalError, 'Too many subscriptions');
  extra.signal.addEventListener('abort', news.end);
  if (Object.keys(filter).length === 0) news.end();
  try {
    // Must be the first notification. Changes in the meantime are sent after it.
    await send('notifications/subscriptions/acknowledged', { notifications: filter });
    for (let next = await news.next(); next !== undefined; next = await news.next()) {
      extra.signal.throwIfAborted();
      await send(next.method, next.params);
    }
    extra.signal.throwIfAborted();
  } finally {
    close();
    extra.signal.removeEventListener('abort', news.end);
  }
  return { _meta };
};

/** Drops what the service never publishes: the lists of tools and prompts are fixed at startup. */
function honoured(
  requested: z.output<typeof listenParams>['notifications'],
  { runtime }: Call,
): Filter {
  if (!runtime.subscriptions.isOffered) return {};
  const known = (requested.resourceSubscriptions ?? []).filter((uri) =>
    runtime.resources.some(({ template }) => template.match(uri)),
  );
  return {
    ...(requested.resourcesListChanged && { resourcesListChanged: true as const }),
    ...(known.length > 0 && { resourceSubscriptions: [...new Set(known)] }),
  };
}

interface Notice {
  readonly method: string;
  readonly params?: object;
}

/** The pending notifications, one for each resource, so that a slow reader cannot fill the memory. */
class News implements Subscription {
  readonly #callerId: string;
  readonly #watchesLists: boolean;
  readonly #watched: ReadonlySet<string>;
  readonly #resources = new Set<string>();
  #isListChanged = false;
  #isOver = false;
  #wake: () => void = () => undefined;

  constructor({ resourcesListChanged, resourceSubscriptions }: Filter, callerId: string) {
    this.#callerId = callerId;
    this.#watchesLists = resourcesListChanged === true;
    this.#watched = new Set(resourceSubscriptions);
  }

  readonly receive: ChangeListener = (change, callerId) => {
    if (callerId !== undefined && callerId !== this.#callerId) return;
    if (change.kind !== 'resource') this.#isListChanged ||= this.#watchesLists;
    if (change.kind === 'unknown') for (const uri of this.#watched) this.#resources.add(uri);
    if (change.kind === 'resource' && this.#watched.has(change.uri))
      this.#resources.add(change.uri);
    this.#wake();
  };

  /** Ends the stream after the pending notifications. */
  readonly end = (): void => {
    this.#isOver = true;
    this.#wake();
  };

  async next(): Promise<Notice | undefined> {
    for (;;) {
      if (this.#isListChanged) {
        this.#isListChanged = false;
        return { method: 'notifications/resources/list_changed' };
      }
      for (const uri of this.#resources) {
        this.#resources.delete(uri);
        return { method: 'notifications/resources/updated', params: { uri } };
      }
      if (this.#isOver) return undefined;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
