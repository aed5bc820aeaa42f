import * as features from './features';

/** Starts what the site needs beside the feature that a test is about. */
export async function startOthers(own: string): Promise<void> {
  const starts = Object.entries<() => unknown>(features);
  for (const [name, start] of starts) if (name !== own) await start();
}
