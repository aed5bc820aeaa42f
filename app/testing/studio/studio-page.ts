/** The studio's loader data, for tests of its page. */
import { toSafeProfile } from '@gatehouse/platform';
import type { Generation } from '~/platform/generations/generations';

export const done: Generation = {
  id: 'g1',
  kind: 'picture',
  aspectRatio: '1:1',
  cost: 1,
  failure: null,
  references: [],
  prompt: 'a fox',
  status: 'succeeded',
  progress: 1,
  createdAt: '2026-11-21T07:00:00Z',
  output: {
    url: '/api/generations/g1/output.png',
    filename: 'g1.png',
    contentType: 'image/png',
    width: 64,
    height: 64,
    seconds: null,
  },
};

export const running: Generation = { ...done, status: 'running', progress: 0.5, output: null };

/** For the Ada of the page double, when nothing could be loaded. */
export const nothing = {
  feed: null,
  error: null,
  workspaces: null,
  estimate: null,
  person: toSafeProfile({ id: 'u1' }).key,
  orderKey: '',
  view: { cursor: '' },
};

export const feedOf = (items: Generation[], nextCursor: string | null = null) => ({
  ...nothing,
  feed: { items, nextCursor },
});
