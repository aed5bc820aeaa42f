/**
 * What the offline demo stores (W31): one account per browser, in memory, with bounds on how many
 * accounts and how many bytes of files are kept.
 */
import { randomUUID } from 'node:crypto';
import type { CreditEntry } from './credits/credits';
import type { AspectRatio, GenerationKind } from './generations/generations';
import { PlatformSdkError } from '@gatehouse/platform/server';

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
  /** Drawn on first request, since drawing takes 30 milliseconds. */
  file?: Uint8Array<ArrayBuffer>;
}

export interface DemoMedia {
  id: string;
  contentType: string;
  sha256: string;
  bytes: number;
  /** Null once evicted to make room for newer files. */
  body: Uint8Array<ArrayBuffer> | null;
}

/** A submitted order and the generations it started. */
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
  person: string;
  workspaces: DemoWorkspace[];
  chosen: string;
  /** Newest first. */
  generations: DemoGeneration[];
  media: Map<string, DemoMedia>;
  /** By idempotency key. */
  submissions: Map<string, DemoSubmission>;
}

/** Accounts that are kept, and as many again that hold nothing yet. */
const capacity = 200;
/** Credit entries per workspace, and remembered submissions per account. */
const entriesKept = 2_000;

/** The balance of a new account. */
export const demoCredits = 100;

const accounts = new Map<string, DemoAccount>();
/**
 * Accounts before their first write. Apart from the others, which they must not evict: every page
 * load without a cookie makes one.
 */
const unwritten = new Map<string, DemoAccount>();

/** @param person the visitor's id, derived from the browser's cookie. */
export function demoAccountOf(person: string): DemoAccount {
  const kept = accounts.get(person);
  const account = kept ?? unwritten.get(person) ?? newAccount(person);
  hold(kept ? accounts : unwritten, account);
  return account;
}

/** Precedes the first write to an account, and may precede any. */
export function keepDemoAccount(account: DemoAccount): void {
  unwritten.delete(account.person);
  hold(accounts, account);
}

/** Inserts an account at the end, so that the least recently used one is evicted first. */
function hold(held: Map<string, DemoAccount>, account: DemoAccount): void {
  held.delete(account.person);
  held.set(account.person, account);
  for (const [oldest] of held) {
    if (held.size <= capacity) break;
    held.delete(oldest);
  }
}

/** @throws {PlatformSdkError} 409 if this account has no such workspace. */
export function demoWorkspaceOf(account: DemoAccount, id: string | undefined): DemoWorkspace {
  const wanted = id ?? account.chosen;
  const workspace = account.workspaces.find((own) => own.id === wanted);
  if (!workspace) throw new PlatformSdkError(409, 'workspace_gone');
  return workspace;
}

/** Records a change of the balance. */
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

/** Remembers a submission by its idempotency key. The oldest are evicted. */
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

function newAccount(person: string): DemoAccount {
  const own: DemoWorkspace = { id: 'demo_own', name: 'Your own', role: 'owner', entries: [] };
  book(own, { change: demoCredits, reason: 'grant', generation: null });
  const shown: DemoWorkspace = { id: 'demo_shown', name: 'Gallery', role: 'viewer', entries: [] };
  return {
    person,
    workspaces: [own, shown],
    chosen: own.id,
    generations: [],
    media: new Map(),
    submissions: new Map(),
  };
}
