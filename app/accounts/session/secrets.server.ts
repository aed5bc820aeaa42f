/** The keys that sign the cookies and links of accounts. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { siteEnv } from '~/env.server';

/** Development needs no setting: its key is made once, so that nobody is signed out by a restart. */
const developmentKey = 'data/auth-secret';

/** The key in use first; then, while keys are being changed, the one before it. */
export function authSecrets(): readonly [string, ...string[]] {
  const [current, ...previous] = siteEnv().authSecrets;
  return [current ?? keyOfDevelopment(), ...previous];
}

function keyOfDevelopment(): string {
  if (siteEnv().mode === 'test') return 'a key that is good for tests and for nothing else';
  try {
    mkdirSync(path.dirname(developmentKey), { recursive: true });
    writeFileSync(developmentKey, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!isThere) throw error;
  }
  return readFileSync(developmentKey, 'utf8');
}
