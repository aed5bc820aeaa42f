/** A visitor's actions on a generation. A deletion is optimistic: rolled back if it is refused. */
import { useRef, useState } from 'react';
import { requestApi } from '@gatehouse/frame/browser';
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

/** Uses `requestApi` rather than `useApi`, which allows one request at a time and aborts on unmount. */
export function useGenerationActions({ update, hide }: UseFeed): GenerationActions {
  const reload = useReload();
  const { check } = useSessions();

  const underway = useRef(new Set<string>());
  const [canceling, setCanceling] = useState<ReadonlySet<string>>(new Set());

  const send = async (generation: Generation, method: string, operation = '') => {
    const path = `/api/generations/${encodeURIComponent(generation.id)}${operation}`;
    const result = await requestApi<Generation | null>(path, { method });
    if (!result.ok) toast.error(messageFor(result.code));
    if (!result.ok && result.status === 401) check();
    return result;
  };

  return {
    canceling,
    async cancel(generation) {
      const { id } = generation;
      // A second click may come before the next render.
      if (underway.current.has(id)) return;
      underway.current.add(id);
      setCanceling(new Set(underway.current));
      const result = await send(generation, 'POST', '/cancel');
      underway.current.delete(id);
      setCanceling(new Set(underway.current));
      if (result.ok && result.data) update(result.data);
      // Either the credits were refunded, or it had finished already.
      reload();
    },
    async remove(generation) {
      const { id } = generation;
      hide(id, true);
      const result = await send(generation, 'DELETE');
      if (!result.ok) {
        // With 404 it was deleted elsewhere, so the page is out of date.
        if (result.status === 404) reload();
        else hide(id, false);
        return;
      }
      const restore = async () => {
        const restored = await send(generation, 'POST', '/restore');
        if (restored.ok) hide(id, false);
        reload();
      };
      toast('Deleted.', { action: { label: 'Undo', onClick: () => void restore() } });
    },
  };
}
