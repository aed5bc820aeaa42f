/** People of whom every word can be told from another's, wherever it turns up. */
import type { CookieJar } from '../../harness/browser/cookie-jar';
import type { Platform } from '../../harness/platform';

export interface Person {
  id: string;
  /** A word of theirs that a page may show: it stands in their name, their address and all that they type. */
  mark: string;
  /** A word in fields of their profile that no page has a reason to show. */
  secret: string;
  /** The site account that they are signed in to, beside the platform's. Several people may share one. */
  account?: Account;
}

/** An account of the site's own. Its words are others than those of the platform's person who uses it. */
export interface Account {
  mark: string;
  name: string;
  email: string;
  /** No answer shows it, and neither does one show what is typed in its place. */
  password: string;
  jar: CookieJar;
}

let count = 0;

/** Signs nobody in: a person is a row in the platform's book. */
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
    if (!persona) throw new Error('The platform made nobody.');
    return { id: persona.id, mark, secret };
  });
}

/** What somebody signs up with. */
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

/** Stands in every password that is typed, right or wrong. */
const passwordWord = 'Pazz7zzap';

/** Typed into every password field, so that a crawl cannot change its own account. */
export const wrongPassword = `${passwordWord} is wrong here, 2`;

/** Every person whose mark stands in a text, in upper or lower case. */
export function marksIn(text: string): Set<string> {
  return new Set(text.match(/zq\d+qz/gi)?.map((mark) => mark.toLowerCase()));
}

/** Every word in a text that nobody may see. */
export function secretsIn(text: string): Set<string> {
  return new Set(text.match(/unshown\d+nwohsnu/gi));
}

export function hasPassword(text: string): boolean {
  return text.includes(passwordWord);
}
