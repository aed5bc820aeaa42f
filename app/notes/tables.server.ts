/** The tables of notes, as Kysely knows them. What makes them is `migrations.server.ts`. */
import type { Flag, Timestamp } from '~/store/columns.server';

export interface NoteTables {
  note: {
    id: string;
    account_id: string;
    title: string;
    text: string;
    /** What a search looks through: `stored/search.server.ts`. */
    search_text: string;
    pinned: Flag;
    version: number;
    created_at: Timestamp;
    updated_at: Timestamp;
    /** A deleted note can be brought back for a while. */
    deleted_at: Timestamp | null;
  };
  note_tag: {
    note_id: string;
    account_id: string;
    tag: string;
    /** The note's place in the list, again. */
    pinned: Flag;
    updated_at: Timestamp;
  };
}
