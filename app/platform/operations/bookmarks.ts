/** The visitor's bookmarks (W12): a sample of the platform's operations. */
import { z } from 'zod';
import { body, items, operation, segmentOf } from '@gatehouse/platform/server';

/** What the schema does not name never reaches the browser (W20). */
const bookmark = z
  .object({
    id: z.string().min(1),
    title: z.string().transform((title) => title.toWellFormed()),
    created_at: z.iso.datetime({ offset: true }),
  })
  .transform(({ created_at: createdAt, ...rest }) => ({ ...rest, createdAt }));

export const bookmarks = {
  /** Newest first. */
  list: operation({ get: '/bookmarks', returns: items(bookmark, 100) }),
  add: operation({
    post: '/bookmarks',
    json: (title: string) => ({ title }),
    once: true,
    codes: { 422: { limit_reached: 'too_many_bookmarks' } },
    returns: body(bookmark),
  }),
  remove: operation({
    delete: (id: string) => `/bookmarks/${segmentOf(id)}`,
    codes: { 404: 'not_found' },
  }),
};
