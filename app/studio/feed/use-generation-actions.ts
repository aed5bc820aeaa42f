/** A visitor's actions on a generation. A deletion is optimistic: rolled back if it is refused. */
import { useRef, useState } from 'react';
import { askApi } from '@gatehouse/frame/browser';
import type { Generation } from '~/platform/generations/generations';
import { useReload, useSessions } from '@gatehouse/frame/react';
import { toast } from '~/ui/toast';
import { messageFor } from '~/shell/platform/platform-messages';
import type { UseFeed } from './use-feed';

export interface GenerationActions {
  /** The ids of those that are being canceled. */
  canceling: ReadonlySet<string>;
  cancel: (generation: Generation) => Promise<void>;
  remove: (generation: Generation) => Promise<void>;
}

/** Uses `askApi` rather than `useApi`, which allows one request at a time and aborts on unmount. */
export function useGenerationActions({ update, hide }: UseFeed): GenerationActions {
  const reload = useReload();
  const { check } = useSessions();

  const underway = useRef(new Set<string>());
  const [canceling, setCanceling] = useState<ReadonlySet<string>>(new Set());

  const ask = async (generation: Generation, method: string, operation = '') => {
    const path = `/api/generations/${encodeURIComponent(generation.id)}${operation}`;
    const answer = await askApi<Generation | null>(path, { method });
    if (!answer.ok) toast.error(messageFor(answer.code));
    if (!answer.ok && answer.status === 401) check();
    return answer;
  };

  return {
    canceling,
    async cancel(generation) {
      const { id } = generation;
      // A second click may come before the next render.
      if (underway.current.has(id)) return;
      underway.current.add(id);
      setCanceling(new Set(underway.current));
      const answer = await ask(generation, 'POST', '/cancel');
      underway.current.delete(id);
      setCanceling(new Set(underway.current));
      if (answer.ok && answer.data) update(answer.data);
      // Either the credits were refunded, or it had finished already.
      reload();
    },
    async remove(generation) {
      const { id } = generation;
      hide(id, true);
      const answer = await ask(generation, 'DELETE');
      if (!answer.ok) {
        // With 404 it was deleted elsewhere, so the page is out of date.
        if (answer.status === 404) reload();
        else hide(id, false);
        return;
      }
      const restore = async () => {
        const restored = await ask(generation, 'POST', '/restore');
        if (restored.ok) hide(id, false);
        reload();
      };
      toast('Deleted.', { action: { label: 'Undo', onClick: () => void restore() } });
    },
  };
}
