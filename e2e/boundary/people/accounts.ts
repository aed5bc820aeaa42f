/** The accounts at the site's own that people of the proof sign in to, and what nobody may see of them. */
import { createHash } from 'node:crypto';
import type { Agent } from 'node:http';
import { createCookieJar } from '../../harness/browser/cookie-jar';
import { httpVisitor } from '../../harness/browser/visitor-http';
import type { AccountParts, SiteAccounts } from '../../harness/definition';
import type { Platform } from '../../harness/platform';
import { createAccount, hasPassword, type Account } from './people';

export interface Accounts {
  /** Of the two who crawl, and then of everybody else. */
  all: readonly Account[];
  /** Signs in again, where a form has ended the session; with a new account of the same words where it is gone. */
  renew: (account: Account) => Promise<void>;
  /** What stands in a text that no answer and no line of the log may show; null where nothing does. */
  secretIn: (text: string) => string | null;
}

/** A password costs a site some tenths of a second of its processor, so a crowd has few. */
const howMany = 4;

/** Milliseconds for a mail to arrive, on a busy machine too. */
const mailTime = 30_000;

/** @throws {Error} one sentence where the site makes no account as `e2e/site.ts` says. */
export async function openAccounts(
  definition: SiteAccounts,
  platform: Platform<unknown>,
  agent: Agent,
): Promise<Accounts> {
  const all = Array.from({ length: howMany }, () => createAccount(createCookieJar()));
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
    for (const [word, what] of wordsOf(account)) secrets.set(word, what);
  };

  const made = await Promise.allSettled(
    all.map(async (account) => {
      await definition.signUp(partsOf(account));
      await signIn(account);
    }),
  );
  const [failed] = made.filter((one) => one.status === 'rejected');
  if (failed) {
    const { message } = failed.reason as Error;
    throw new Error(`\`accounts\` of e2e/site.ts makes no account: ${message}`, {
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
          // The account is there, and its sign-in fails.
          throw error;
        });
        await signIn(account);
      }
    },
    secretIn(text) {
      if (hasPassword(text)) return 'a password';
      if (/\$(?:scrypt|argon2\w*|2[aby])\$/.test(text)) return 'the hash of a password';
      for (const [word, what] of secrets) if (text.includes(word)) return what;
      return null;
    },
  };
}

/** What the cookies of an account carry, and the digests of it that a store may keep. */
function* wordsOf({ jar }: Account): Iterable<[word: string, what: string]> {
  for (const { value } of jar.cookies()) {
    const whole = decoded(value);
    // A signed value ends with a dot and its signature.
    const token = whole.includes('.') ? whole.slice(0, whole.lastIndexOf('.')) : whole;
    for (const word of new Set([value, whole, token])) {
      // A cookie such as `theme=dark` is no secret.
      if (word.length < shortestToken) continue;
      yield [word, 'the token of a session'];
      for (const encoding of ['hex', 'base64', 'base64url'] as const) {
        const digest = createHash('sha256').update(word).digest(encoding);
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
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no mail came to ${to}.`));
    }, mailTime);
  });
  const { links, subject } = await Promise.race([mailbox.next(to), late]).finally(() => {
    clearTimeout(timer);
  });
  const link = links.find((one) => one.startsWith(`${siteOrigin}/`));
  if (link === undefined) throw new Error(`there is no link to the site in “${subject}”.`);
  return link.slice(siteOrigin.length);
}
