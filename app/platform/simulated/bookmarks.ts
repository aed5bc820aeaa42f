/** Bookmarks, of each person their own. */
import {
  errorResponse,
  jsonResponse,
  noContent,
  type Operation,
  type StateParts,
} from '@gatehouse/simulator/operations';

/** Bookmarks of one person. */
const max = 100;

interface BookmarkJson {
  id: string;
  title: string;
  created_at: string;
}

export function createState({ clock }: Pick<StateParts, 'clock'>) {
  const byPerson = new Map<string, BookmarkJson[]>();
  let count = 0;
  /** Newest first. */
  const list = (personaId: string) => byPerson.get(personaId) ?? [];
  return {
    list,
    add(personaId: string, title: string): BookmarkJson {
      count += 1;
      const created_at = new Date(clock.now()).toISOString();
      const bookmark = { id: `bm_${count}`, title, created_at };
      byPerson.set(personaId, [bookmark, ...list(personaId)]);
      return bookmark;
    },
    remove(personaId: string, id: string): boolean {
      const others = list(personaId).filter((bookmark) => bookmark.id !== id);
      const found = others.length < list(personaId).length;
      byPerson.set(personaId, others);
      return found;
    },
  };
}

export const operations = [
  {
    name: 'bookmarks',
    method: 'GET',
    path: '/bookmarks',
    // A field that the site does not use shows whether it passes on more than it declares.
    run: ({ persona, state }) =>
      jsonResponse(200, {
        items: state.bookmarks
          .list(persona.id)
          .map((bookmark) => ({ ...bookmark, internal_trace: 'trace-canary' })),
      }),
  },
  {
    name: 'add-bookmark',
    method: 'POST',
    path: '/bookmarks',
    once: true,
    maxBytes: 1024,
    run({ persona, state, body }) {
      if (state.bookmarks.list(persona.id).length >= max) {
        return errorResponse(422, 'limit_reached', `At most ${max} bookmarks.`);
      }
      const { title } = JSON.parse(body.toString()) as { title: string };
      return jsonResponse(201, state.bookmarks.add(persona.id, title));
    },
  },
  {
    name: 'remove-bookmark',
    method: 'DELETE',
    path: '/bookmarks/:id',
    run: ({ persona, state, params: { id = '' } }) =>
      state.bookmarks.remove(persona.id, id)
        ? noContent
        : errorResponse(404, 'not_found', 'No such bookmark.'),
  },
] as const satisfies readonly Operation<{ bookmarks: ReturnType<typeof createState> }>[];
