/** The tables of members' files. A site that keeps files adds them to its migrations. */
import { sql, type Kysely } from 'kysely';
import { columnsOf, type Timestamp } from '@gatehouse/store';

export const fileMigrations = {
  '2026_11_29_account_files': {
    async up(db: Kysely<unknown>) {
      const { id, timestamp, integer, bytes } = columnsOf(db);
      await db.schema
        .createTable('account_file')
        .addColumn('id', id, (column) => column.primaryKey())
        .addColumn('account_id', id, (column) =>
          column.notNull().references('account.id').onDelete('cascade'),
        )
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('type', 'text', (column) => column.notNull())
        .addColumn('size', integer, (column) => column.notNull())
        .addColumn('width', integer)
        .addColumn('height', integer)
        .addColumn('sha256', 'text')
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('created_at', timestamp, (column) => column.notNull())
        .addColumn('touched_at', timestamp, (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('account_file_chunk')
        .addColumn('file_id', id, (column) =>
          column.notNull().references('account_file.id').onDelete('cascade'),
        )
        .addColumn('account_id', id, (column) =>
          column.notNull().references('account.id').onDelete('cascade'),
        )
        .addColumn('number', integer, (column) => column.notNull())
        .addColumn('bytes', bytes, (column) => column.notNull())
        .addPrimaryKeyConstraint('account_file_chunk_once', ['file_id', 'number'])
        .execute();
      await db.schema
        .createIndex('account_file_listed')
        .on('account_file')
        .columns(['account_id', 'kind', 'created_at'])
        .execute();
      await db.schema
        .createIndex('account_file_unfinished')
        .on('account_file')
        .column('touched_at')
        .where(sql.ref('state'), '<>', sql.lit('ready'))
        .execute();
      await db.schema
        .createIndex('account_file_chunk_of_account')
        .on('account_file_chunk')
        .column('account_id')
        .execute();
    },
  },
};

export interface FileTables {
  account: { id: string };
  account_file: {
    id: string;
    account_id: string;
    /** Which of the site's kinds of files it is. */
    kind: string;
    name: string;
    /** As its bytes say. */
    type: string;
    /** Of the chunks so far. */
    size: number;
    /** Of a picture, in pixels. */
    width: number | null;
    height: number | null;
    /** Null until it is complete. */
    sha256: string | null;
    /** Only a file that is `ready` is seen. `gone` while its chunks are deleted. */
    state: 'arriving' | 'ready' | 'gone';
    created_at: Timestamp;
    /** The last chunk's arrival. */
    touched_at: Timestamp;
  };
  /** All have the same size, but the last. */
  account_file_chunk: { file_id: string; account_id: string; number: number; bytes: Uint8Array };
}
