/**
 * The reference media of an order: sent as soon as they are chosen, cancelled by being taken away. The platform forgets
 * what is taken away before it was of any use.
 */
import { useEffect, useRef, type Dispatch } from 'react';
import { askApi, type ApiAnswer } from '~/frame/api';
import { uploadFile } from '~/frame/upload';
import { uploadMaxBytes, type Media } from '~/platform/sdk/media/media';
import { referencesMax } from '~/platform/sdk/generations/generations';
import { useSessions } from '~/shell/sessions';
import { toast } from '~/ui/toast';
import { messageOf } from '../messages';
import type { OrderChange, Reference } from './order-draft';

export interface UseReferences {
  attach: (files: readonly File[]) => void;
  detach: (reference: Reference) => void;
}

/**
 * @param page.account whose page this is: what is sent from it is theirs, or refused.
 * @param page.workspace empty for the one that the platform has as chosen.
 */
export function useReferences(
  references: readonly Reference[],
  change: Dispatch<OrderChange>,
  { account, workspace, usable }: { account: string; workspace: string; usable: boolean },
): UseReferences {
  const { check } = useSessions();
  const running = useRef(new Map<string, AbortController>());
  // What is on its way ends with the visitor's session, and with the page.
  useEffect(() => {
    const uploads = running.current;
    return () => {
      for (const upload of uploads.values()) upload.abort();
      uploads.clear();
    };
  }, [account, usable]);

  const forget = async ({ id }: Pick<Media, 'id'>) => {
    // Of several at once, where `useApi` asks one thing at a time. The visitor waits for none of it.
    const answer = await askApi(`/api/media/${encodeURIComponent(id)}`, { method: 'DELETE' });
    if (!answer.ok && answer.status === 401) check();
  };
  // However it went: taken away, left behind in another workspace, or replaced by another order's.
  const before = useRef(references);
  useEffect(() => {
    const kept = new Set(references.map(({ key }) => key));
    const gone = before.current.filter(({ key }) => !kept.has(key));
    before.current = references;
    for (const { media, uploader } of gone) {
      // Somebody else is signed in by now: it is not theirs to take away.
      if (media && usable && uploader === account) void forget(media);
    }
  }, [references]);

  const send = async (key: string, file: File) => {
    const upload = new AbortController();
    running.current.set(key, upload);
    const { signal } = upload;
    const answer: ApiAnswer<Media> = await uploadFile<Media>({
      url: `/api/media?${new URLSearchParams({ account, ...(workspace && { workspace }) })}`,
      file,
      signal,
      onProgress: (share) => {
        change({ type: 'attached', key, change: { share } });
      },
    });
    running.current.delete(key);
    if (signal.aborted) {
      change({ type: 'detach', key });
      // It was taken away just as it had arrived.
      if (answer.ok) void forget(answer.data);
    } else if (answer.ok)
      change({ type: 'attached', key, change: { share: 1, media: answer.data } });
    else change({ type: 'attached', key, change: { problem: messageOf(answer.code) } });
    if (!answer.ok && answer.status === 401) check();
  };

  return {
    attach(files) {
      const room = referencesMax - references.length;
      if (files.length > room) toast.error(`At most ${referencesMax} references.`);
      const chosen = files.slice(0, room).map((file) => ({
        file,
        key: crypto.randomUUID(),
        problem: problemWith(file),
      }));
      change({
        type: 'attach',
        references: chosen.map(({ key, file, problem }) => {
          return { key, name: file.name, share: 0, media: null, problem, uploader: account };
        }),
      });
      for (const { key, file, problem } of chosen) if (!problem) void send(key, file);
    },
    detach({ key }) {
      running.current.get(key)?.abort();
      change({ type: 'detach', key });
    },
  };
}

/** What the platform would refuse anyway, before a hundred megabytes are on their way. */
function problemWith({ size }: File): string | null {
  if (size === 0) return 'This file is empty.';
  return size > uploadMaxBytes ? messageOf('body_too_large') : null;
}
