/**
 * Generations of the offline demo (W31): drawn here, finished by the clock, without any network
 * call.
 */
import { randomUUID } from 'node:crypto';
import {
  balanceOf,
  book,
  demoWorkspaceOf,
  keepDemoAccount,
  remember,
  type DemoAccount,
  type DemoGeneration,
} from '../demo-account.server';
import { PlatformSdkError } from '@gatehouse/platform/server';
import { demoClip, demoClipFacts } from './demo-clip.server';
import { draw, sizeOf } from './drawing.server';
import { demoPriceOf } from './price.server';
import { isPending, type Generation } from './generations';
import type { Generations } from './port.server';

const workingTime = 3_000;
const pageSize = 24;
/** Generations kept per account. A drawn one takes 80 KiB. */
const capacity = 100;
/** Milliseconds between two checks of pending generations. */
const watchPause = 250;

export function createDemoGenerations(account: DemoAccount, workspace?: string): Generations {
  const acting = () => demoWorkspaceOf(account, workspace);
  const find = (id: string): DemoGeneration => {
    const generation = account.generations.find((one) => one.id === id);
    if (!generation) throw new PlatformSdkError(404, 'not_found');
    return generation;
  };
  const present = (id: string): DemoGeneration => {
    const generation = find(id);
    if (generation.isRemoved) throw new PlatformSdkError(404, 'not_found');
    return generation;
  };
  const shown = () => {
    const { id } = acting();
    return account.generations.filter((one) => one.workspace === id && !one.isRemoved);
  };

  return {
    async estimate({ kind, count }) {
      const balance = balanceOf(await Promise.resolve(acting()));
      const each = demoPriceOf(kind);
      return { total: each * count, each, balance, covered: balance >= each * count };
    },
    async submit(order, { idempotencyKey }) {
      const own = await Promise.resolve(acting());
      if (own.role === 'viewer') throw new PlatformSdkError(403, 'forbidden');
      const text = JSON.stringify([own.id, order]);
      const earlier = account.submissions.get(idempotencyKey);
      if (earlier && earlier.order !== text) {
        throw new PlatformSdkError(409, 'idempotency_key_reused');
      }
      if (earlier) {
        const ids = new Set(earlier.ids);
        // Those that were removed or evicted are left out.
        const left = account.generations.filter((one) => ids.has(one.id) && !one.isRemoved);
        return left.toReversed().map(toGeneration);
      }
      if (order.references.some((id) => !account.media.has(id))) {
        throw new PlatformSdkError(422, 'reference_gone');
      }
      const cost = demoPriceOf(order.kind);
      if (balanceOf(own) < cost * order.prompts.length) {
        throw new PlatformSdkError(402, 'insufficient_credits');
      }
      keepDemoAccount(account);
      const { prompts, ...rest } = order;
      const made = prompts.map((prompt): DemoGeneration => {
        const id = `demo_${randomUUID()}`;
        book(own, { change: -cost, reason: 'generation', generation: id });
        const state = { createdAt: Date.now(), canceledAt: null, isRemoved: false };
        return { ...rest, ...state, id, workspace: own.id, prompt, cost };
      });
      account.generations.unshift(...made.toReversed());
      account.generations.length = Math.min(account.generations.length, capacity);
      remember(account, idempotencyKey, { order: text, ids: made.map(({ id }) => id) });
      return made.map(toGeneration);
    },
    get: async (id) => Promise.resolve(toGeneration(present(id))),
    async list({ cursor, kind, status } = {}) {
      const all = (await Promise.resolve(shown())).map(toGeneration);
      const wanted = all.filter(
        (one) =>
          (!kind || one.kind === kind) &&
          (!status || status === (isPending(one) ? 'pending' : one.status)),
      );
      const start = cursor ? wanted.findIndex(({ id }) => id === cursor) : 0;
      if (start < 0) throw new PlatformSdkError(422, 'invalid_cursor');
      return {
        items: wanted.slice(start, start + pageSize),
        nextCursor: wanted[start + pageSize]?.id ?? null,
      };
    },
    async cancel(id) {
      const generation = await Promise.resolve(present(id));
      if (!isPending(toGeneration(generation))) {
        throw new PlatformSdkError(409, 'already_finished');
      }
      generation.canceledAt = Date.now();
      book(demoWorkspaceOf(account, generation.workspace), {
        change: generation.cost,
        reason: 'refund',
        generation: id,
      });
      return toGeneration(generation);
    },
    async remove(id) {
      (await Promise.resolve(present(id))).isRemoved = true;
    },
    async restore(id) {
      const generation = await Promise.resolve(find(id));
      generation.isRemoved = false;
      return toGeneration(generation);
    },
    async readOutput(id, extension) {
      const own = await Promise.resolve(present(id));
      const { output } = toGeneration(own);
      if (extension !== extensionOf(own)) throw new PlatformSdkError(404, 'not_found');
      if (!output) throw new PlatformSdkError(409, 'not_ready');
      own.file ??= own.kind === 'clip' ? demoClip : draw(own.prompt, own.aspectRatio);
      return {
        status: 200,
        body: new Blob([own.file]).stream(),
        contentType: output.contentType,
        filename: output.filename,
        headers: { 'content-length': String(own.file.length) },
      };
    },
    async *watch({ signal }) {
      const told = new Map<string, string>();
      while (!signal.aborted) {
        for (const generation of shown().map(toGeneration)) {
          const text = JSON.stringify(generation);
          const known = told.get(generation.id);
          told.set(generation.id, text);
          if (text !== known && (known !== undefined || isPending(generation))) yield generation;
        }
        await pause(watchPause, signal);
      }
    },
  };
}

function toGeneration(one: Readonly<DemoGeneration>): Generation {
  const { id, kind, prompt, aspectRatio, references, cost, createdAt, canceledAt } = one;
  const progress = Math.min(1, ((canceledAt ?? Date.now()) - createdAt) / workingTime);
  const done = canceledAt === null && progress === 1;
  const extension = extensionOf(one);
  const facts = kind === 'clip' ? demoClipFacts : { ...sizeOf(aspectRatio), seconds: null };
  return {
    id,
    kind,
    prompt,
    aspectRatio,
    status: canceledAt !== null ? 'canceled' : done ? 'succeeded' : 'running',
    progress,
    createdAt: new Date(createdAt).toISOString(),
    cost,
    failure: null,
    references,
    output: done
      ? {
          url: `/api/generations/${id}/output.${extension}`,
          filename: `${id}.${extension}`,
          contentType: kind === 'clip' ? 'video/webm' : 'image/png',
          ...facts,
        }
      : null,
  };
}

function extensionOf({ kind }: Pick<DemoGeneration, 'kind'>): string {
  return kind === 'clip' ? 'webm' : 'png';
}

/** Waits `ms`, or until the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}
