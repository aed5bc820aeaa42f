/** A visitor's actions on a generation: optimistic, and rolled back if the server refuses. */
import { askApi } from '~/frame/api';
import type { Generation } from '~/platform/sdk/generations/generations';
import { useReload } from '~/shell/reload';
import { useSessions } from '~/shell/sessions';
import { toast } from '~/ui/toast';
import { messageOf } from '../messages';
import type { UseFeed } from './use-feed';

export interface GenerationActions {
  cancel: (generation: Generation) => Promise<void>;
  remove: (generation: Generation) => Promise<void>;
}

/** Uses `askApi` rather than `useApi`, which allows one request at a time and aborts on unmount. */
export function useGenerationActions({ update, hide }: UseFeed): GenerationActions {
  const reload = useReload();
  const { check } = useSessions();

  const ask = async (generation: Generation, method: string, operation = '') => {
    const path = `/api/generations/${encodeURIComponent(generation.id)}${operation}`;
    const answer = await askApi<Generation | null>(path, { method });
    if (!answer.ok) toast.error(messageOf(answer.code));
    if (!answer.ok && answer.status === 401) check();
    return answer;
  };

  return {
    async cancel(generation) {
      const answer = await ask(generation, 'POST', '/cancel');
      if (answer.ok && answer.data) update(answer.data);
      // Either the credits were refunded, or it had finished already.
      reload();
    },
    async remove(generation) {
      const { id } = generation;
      hide(id, true);
      const answer = await ask(generation, 'DELETE');
      if (!answer.ok) {
        hide(id, false);
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
