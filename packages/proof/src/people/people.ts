/** People whose data contains unique markers, so that any text shows whose data it contains. */
import type { CookieJar } from '@gatehouse/simulator/http';
import type { Platform } from '@gatehouse/simulator/platform';

export interface Person {
  id: string;
  /** The marker in all data that a page may show: the name, the e-mail address and everything typed. */
  mark: string;
  /** The canary in profile fields that no page has a reason to show. */
  secret: string;
  /** The site account that they are signed in to, besides the platform. Several people may share one. */
  account?: Account;
}

/** A site account. Its marker differs from that of the person who uses it. */
export interface Account {
  mark: string;
  name: string;
  email: string;
  /** No response may contain it, nor {@link wrongPassword}. */
  password: string;
  jar: CookieJar;
  /** Those that the proof has given it. */
  roles?: ReadonlySet<string>;
}

let count = 0;

/** Creates personas in the simulator, without signing them in. */
export function createPeople(platform: Platform<unknown>, howMany: number): Person[] {
  return Array.from({ length: howMany }, () => {
    const number = ++count;
    const mark = `zq${number}qz`;
    const secret = `unshown${number}nwohsnu`;
    const profile = {
      id: `usr_${mark}`,
      name: `Person ${mark}`,
      email: `${mark}@example.com`,
      session_token: secret,
      internal: { note: secret, roles: [secret] },
    };
    const [persona] = platform.addPersonas(1, profile);
    if (!persona) throw new Error('The simulator created no persona.');
    return { id: persona.id, mark, secret };
  });
}

/** The data for one sign-up. */
export function createAccount(jar: CookieJar): Account {
  const mark = `zq${++count}qz`;
  return {
    mark,
    name: `Person ${mark}`,
    email: `${mark}@example.com`,
    password: `${passwordWord} is a long pass phrase, 1`,
    jar,
  };
}

/** Part of every password that is typed, right or wrong. */
const passwordWord = 'Pazz7zzap';

/** Typed into every password field, so that a crawl cannot change or delete its own account. */
export const wrongPassword = `${passwordWord} is wrong here, 2`;

/** The profile canaries in a text. */
export function secretsIn(text: string): Set<string> {
  return new Set(text.match(/unshown\d+nwohsnu/gi));
}

/**
 * Whether a text contains a name or an e-mail address of the proof's people, also as part of an address, rather than something
 * that they typed.
 */
export function namesPerson(text: string): boolean {
  return /Person( |\+|%20)zq\d+qz|\bzq\d+(?:[a-pr-y]{3})?qz(@|%40)example\.com/i.test(text);
}

export function hasPassword(text: string): boolean {
  return text.includes(passwordWord);
}
