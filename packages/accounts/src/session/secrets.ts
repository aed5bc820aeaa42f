/** The keys that sign cookies and links of accounts. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AccountsSite } from '../site.ts';

/**
 * Development needs no setting: its key is created once and kept, so that a restart does not sign
 * anyone out.
 */
const developmentKey = 'data/auth-secret';

/** Random, because somebody may start a site with `NODE_ENV=test`. */
const keyOfTests = randomBytes(32).toString('base64');

/** The current key first, then the previous one during a rotation. */
export function authSecrets({ settings }: AccountsSite): readonly [string, ...string[]] {
  const { authSecrets: secrets, mode } = settings();
  const [current, ...previous] = secrets;
  return [current ?? (mode === 'test' ? keyOfTests : keyOfDevelopment()), ...previous];
}

function keyOfDevelopment(): string {
  try {
    mkdirSync(path.dirname(developmentKey), { recursive: true });
    writeFileSync(developmentKey, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!isThere) throw error;
  }
  return readFileSync(developmentKey, 'utf8');
}
