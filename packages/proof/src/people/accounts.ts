/** Site accounts for the proof's people, and the secrets of these accounts that no response and no log line may contain. */
import { createHash } from 'node:crypto';
import type { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createCookieJar, httpVisitor } from '@gatehouse/simulator/http';
import type { AccountParts, SiteAccounts } from '@gatehouse/simulator';
import type { Platform } from '@gatehouse/simulator/platform';
import { createAccount, hasPassword, type Account } from './people.ts';

export interface Accounts {
  /** The accounts of the two crawlers first, then those that the crowd shares. */
  all: readonly Account[];
  /** Signs in again after the session has ended; signs up again, with the same data, if the account is gone. */
  renew: (account: Account) => Promise<void>;
  /** The kind of secret that a text contains; null where it contains none. */
  secretIn: (text: string) => string | null;
}

/** Hashing a password takes some tenths of a second of CPU time, so a crowd shares a few accounts. */
const accountCount = 4;

/** Milliseconds for a mail to arrive, generous for busy machines. */
const mailTime = 30_000;

/** @throws {Error} one sentence when an account cannot be created as `accounts` in `e2e/site.ts` defines. */
export async function openAccounts(
  definition: SiteAccounts,
  platform: Platform<unknown>,
  agent: Agent,
): Promise<Accounts> {
  const all = Array.from({ length: accountCount }, () => createAccount(createCookieJar()));
  const secrets = new Map<string, string>();

  const partsOf = (account: Account): AccountParts => {
    const { name, email, password, jar } = account;
    return {
      visitor: httpVisitor(platform, null, agent, jar),
      person: { name, email, password },
      mail: { link: (to) => mailedLink(platform, to) },
    };
  };
  const signIn = async (account: Account): Promise<void> => {
    account.jar.take(account.jar.cookies().map(({ name }) => `${name}=; Max-Age=0`));
    await definition.signIn(partsOf(account));
    if (account.jar.cookies().length === 0) throw new Error('no cookie was set.');
    for (const [secret, kind] of secretsOf(account)) secrets.set(secret, kind);
  };

  const results = await Promise.allSettled(
    all.map(async (account) => {
      await definition.signUp(partsOf(account));
      await signIn(account);
    }),
  );
  const [failed] = results.filter((result) => result.status === 'rejected');
  if (failed) {
    const { message } = failed.reason as Error;
    throw new Error(`\`accounts\` in e2e/site.ts could not create an account: ${message}`, {
      cause: failed.reason,
    });
  }
  return {
    all,
    async renew(account) {
      try {
        await signIn(account);
      } catch (error) {
        await definition.signUp(partsOf(account)).catch(() => {
          // The account exists, so its sign-in is what failed.
          throw error;
        });
        await signIn(account);
      }
    },
    secretIn(text) {
      if (hasPassword(text)) return 'a password';
      if (/\$(?:scrypt|argon2\w*|2[aby])\$/.test(text)) return 'the hash of a password';
      for (const [secret, kind] of secrets) if (text.includes(secret)) return kind;
      return null;
    },
  };
}

/** The values of an account's cookies, and their digests, which a store may contain. */
function* secretsOf({ jar }: Account): Iterable<[secret: string, kind: string]> {
  for (const { value } of jar.cookies()) {
    const unescaped = decoded(value);
    // A signed cookie value ends with a dot and the signature.
    const token = unescaped.replace(/\.[^.]*$/, '');
    for (const secret of new Set([value, unescaped, token])) {
      // Short values such as `theme=dark` are not secrets.
      if (secret.length < shortestToken) continue;
      yield [secret, 'the token of a session'];
      for (const encoding of ['hex', 'base64', 'base64url'] as const) {
        const digest = createHash('sha256').update(secret).digest(encoding);
        yield [digest.replace(/=+$/, ''), 'the digest of a session’s token'];
      }
    }
  }
}

/** Characters: 96 bits in Base64. */
const shortestToken = 16;

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

async function mailedLink({ mailbox, siteOrigin }: Platform<unknown>, to: string): Promise<string> {
  const mail = await Promise.race([mailbox.next(to), pause(mailTime, null, { ref: false })]);
  if (!mail) throw new Error(`no mail arrived for ${to}.`);
  const link = mail.links.find((address) => address.startsWith(`${siteOrigin}/`));
  if (link === undefined)
    throw new Error(`the mail “${mail.subject}” contains no link to the site.`);
  return link.slice(siteOrigin.length);
}
