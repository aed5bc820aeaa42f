/** Notes in a file store that an earlier version wrote. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { migratedNotes } from '~/testing/notes/migrated';

migratedNotes(async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'notes-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return `file:${folder}/site.db`;
});
