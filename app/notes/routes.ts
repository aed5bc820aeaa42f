/** The routes of notes, for `app/routes.ts`. */
import { route, type RouteConfigEntry } from '@remix-run/route-config';

export default [
  route('notes', 'notes/routes/notes.tsx'),
  route('notes/import', 'notes/routes/import.tsx'),
  route('notes/:id', 'notes/routes/note.tsx'),
  route('api/notes/export', 'notes/routes/api.notes-export.ts'),
] satisfies RouteConfigEntry[];
