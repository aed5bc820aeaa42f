/** The offline demo's adapter (W31): an account in memory, and no network call. */
import { createDemoCredits } from './credits/memory.server';
import { demoAccountOf } from './demo-account.server';
import { createDemoGenerations } from './generations/memory.server';
import { createDemoMedia } from './media/memory.server';
import { createDemoWorkspaces } from './workspaces/memory.server';
import type { PlatformSdk } from './port.server';

/**
 * @param person the visitor's id.
 * @param workspace the one to act in. Undefined: the one they have chosen.
 */
export function createMemorySdk(person: string, workspace?: string): PlatformSdk {
  const account = demoAccountOf(person);
  return {
    generations: createDemoGenerations(account, workspace),
    media: createDemoMedia(account, workspace),
    workspaces: createDemoWorkspaces(account),
    credits: createDemoCredits(account, workspace),
  };
}
