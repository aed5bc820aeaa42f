/**
 * What the offline demo keeps (W31): for each browser a person of its own, in memory. Nobody's is kept for long:
 * the people who came last have room, and no more than so many bytes of files are held for all of them.
 */
import { randomUUID } from 'node:crypto';
import type { CreditEntry } from './credits/credits';
import type { AspectRatio, GenerationKind } from './generations/generations';
import { PlatformSdkError } from './sdk-error.server';

export interface DemoGeneration {
  id: string;
  workspace: string;
  kind: GenerationKind;
  prompt: string;
  aspectRatio: AspectRatio;
  references: string[];
  cost: number;
  createdAt: number;
  canceledAt: number | null;
  isRemoved: boolean;
  /** Drawn when it is first asked for: that takes thirty milliseconds. */
  file?: Uint8Array<ArrayBuffer>;
}

export interface DemoMedia {
  id: string;
  contentType: string;
  sha256: string;
  bytes: number;
  /** Null once others' files needed the room. */
  body: Uint8Array<ArrayBuffer> | null;
}

/** What a submission was, and what it gave. */
export interface DemoSubmission {
  order: string;
  ids: string[];
}

export interface DemoWorkspace {
  id: string;
  name: string;
  role: 'owner' | 'viewer';
  /** Newest first. */
  entries: CreditEntry[];
}

export interface DemoAccount {
  workspaces: DemoWorkspace[];
  chosen: string;
  /** Newest first. */
  generations: DemoGeneration[];
  media: Map<string, DemoMedia>;
  /** By idempotency key. */
  submissions: Map<string, DemoSubmission>;
}

/** People who are remembered, and credits that each begins with. */
const capacity = 200;
/** Lines of a workspace's account, and submissions by their key. */
const entriesKept = 2_000;
export const demoCredits = 100;

const accounts = new Map<string, DemoAccount>();

/** @param person who they are, by their browser's own key. */
export function demoAccountOf(person: string): DemoAccount {
  const account = accounts.get(person) ?? newAccount();
  // Whoever was here last is forgotten last.
  accounts.delete(person);
  accounts.set(person, account);
  for (const [oldest] of accounts) {
    if (accounts.size <= capacity) break;
    accounts.delete(oldest);
  }
  return account;
}

/** @throws {PlatformSdkError} 409 for one that this person does not have. */
export function demoWorkspaceOf(account: DemoAccount, id: string | undefined): DemoWorkspace {
  const wanted = id ?? account.chosen;
  const workspace = account.workspaces.find((own) => own.id === wanted);
  if (!workspace) throw new PlatformSdkError(409, 'workspace_gone');
  return workspace;
}

/** Books a change of the balance. */
export function book(
  workspace: DemoWorkspace,
  entry: Pick<CreditEntry, 'change' | 'reason' | 'generation'>,
): void {
  workspace.entries.unshift({
    ...entry,
    id: randomUUID(),
    at: new Date().toISOString(),
    balance: balanceOf(workspace) + entry.change,
  });
  workspace.entries.length = Math.min(workspace.entries.length, entriesKept);
}

/** Remembers what a key stands for. The oldest make room. */
export function remember(account: DemoAccount, key: string, submission: DemoSubmission): void {
  account.submissions.set(key, submission);
  const [oldest] = account.submissions.keys();
  if (account.submissions.size > entriesKept && oldest !== undefined) {
    account.submissions.delete(oldest);
  }
}

export function balanceOf({ entries }: DemoWorkspace): number {
  return entries[0]?.balance ?? 0;
}

function newAccount(): DemoAccount {
  const own: DemoWorkspace = { id: 'demo_own', name: 'Your own', role: 'owner', entries: [] };
  book(own, { change: demoCredits, reason: 'grant', generation: null });
  const shown: DemoWorkspace = { id: 'demo_shown', name: 'Gallery', role: 'viewer', entries: [] };
  return {
    workspaces: [own, shown],
    chosen: own.id,
    generations: [],
    media: new Map(),
    submissions: new Map(),
  };
}
