/** The tables of notes, as types for Kysely. Created by `migrations.server.ts`. */
import type { Flag, Timestamp } from '@gatehouse/store';

export interface NoteTables {
  note: {
    id: string;
    account_id: string;
    title: string;
    text: string;
    /** The words as they are searched: `stored/search.server.ts`. */
    search_text: string;
    pinned: Flag;
    version: number;
    created_at: Timestamp;
    updated_at: Timestamp;
    /** Set on a deleted note, which can be restored for a while. */
    deleted_at: Timestamp | null;
  };
  note_tag: {
    note_id: string;
    account_id: string;
    tag: string;
    /** A copy of the note's sort key. */
    pinned: Flag;
    updated_at: Timestamp;
  };
}
