/**
 * The references of an order: uploaded when chosen, cancelled when removed. Uploads that are
 * removed before an order used them are deleted on the platform.
 */
import { useEffect, useRef, type Dispatch } from 'react';
import { requestApi, type ApiResult, uploadFile } from '@gatehouse/frame/browser';
import { uploadMaxBytes, type Media } from '~/platform/media/media';
import { referencesMax } from '~/platform/generations/generations';
import { useSessions } from '@gatehouse/frame/react';
import { toast } from '~/ui/toast';
import { messageFor } from '~/shell/platform/platform-messages';
import type { OrderChange, Reference } from './order-draft';

export interface UseReferences {
  attach: (files: readonly File[]) => void;
  detach: (reference: Reference) => void;
}

/**
 * @param page.account the account that loaded the page: the server rejects uploads for any other.
 *   Empty once it is no longer the one that is signed in.
 * @param page.workspace empty for the workspace that is chosen on the platform.
 */
export function useReferences(
  references: readonly Reference[],
  change: Dispatch<OrderChange>,
  { account, workspace, usable }: { account: string; workspace: string; usable: boolean },
): UseReferences {
  const { check } = useSessions();
  const running = useRef(new Map<string, AbortController>());
  // Uploads are aborted when the account changes or the page unmounts. In an outage they continue:
  // one that fails says so.
  useEffect(() => {
    const uploads = running.current;
    return () => {
      for (const upload of uploads.values()) upload.abort();
      uploads.clear();
    };
  }, [account]);

  // Cleans up each reference that left the list, whatever removed it.
  const before = useRef(references);
  useEffect(() => {
    const kept = new Set(references.map(({ key }) => key));
    const gone = before.current.filter(({ key }) => !kept.has(key));
    before.current = references;
    for (const { key, media, uploader } of gone) {
      running.current.get(key)?.abort();
      // Not if a different account is signed in by now: the file is not theirs to delete.
      if (media && usable && uploader === account) void forget(media, check);
    }
  }, [references, account, usable, check]);

  // Counted immediately: files may be added again before the next render.
  const count = useRef(0);
  useEffect(() => {
    count.current = references.length;
  });

  const send = async (key: string, file: File) => {
    const upload = new AbortController();
    running.current.set(key, upload);
    const { signal } = upload;
    const result: ApiResult<Media> = await uploadFile<Media>({
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
      // The upload completed just before it was cancelled.
      if (result.ok) void forget(result.data, check);
    } else if (result.ok)
      change({ type: 'attached', key, change: { share: 1, media: result.data } });
    else change({ type: 'attached', key, change: { problem: messageFor(result.code) } });
    if (!result.ok && result.status === 401) check();
  };

  return {
    attach(files) {
      const room = referencesMax - count.current;
      if (files.length > room) toast.error(`At most ${referencesMax} references.`);
      const chosen = files.slice(0, room).map((file) => ({
        file,
        key: crypto.randomUUID(),
        problem: problemWith(file),
      }));
      count.current += chosen.length;
      change({
        type: 'attach',
        references: chosen.map(({ key, file, problem }) => {
          return { key, name: file.name, share: 0, media: null, problem, uploader: account };
        }),
      });
      for (const { key, file, problem } of chosen) if (!problem) void send(key, file);
    },
    detach({ key }) {
      change({ type: 'detach', key });
    },
  };
}

/** Checks locally what the platform would reject after the upload. */
function problemWith({ size }: File): string | null {
  if (size === 0) return 'This file is empty.';
  return size > uploadMaxBytes ? messageFor('body_too_large') : null;
}

/** Deletes an uploaded file. Nobody waits for the result. */
async function forget({ id }: Pick<Media, 'id'>, check: () => void): Promise<void> {
  // `requestApi` rather than `useApi`, which aborts the previous request.
  const result = await requestApi(`/api/media/${encodeURIComponent(id)}`, { method: 'DELETE' });
  if (!result.ok && result.status === 401) check();
}
