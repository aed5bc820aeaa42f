/** People of whom every word can be told from another's, wherever it turns up. */
import type { Platform } from '../../harness/platform';

export interface Person {
  id: string;
  /** A word of theirs that a page may show: it stands in their name, their address and all that they type. */
  mark: string;
  /** A word in fields of their profile that no page has a reason to show. */
  secret: string;
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

/** Every person whose mark stands in a text. */
export function marksIn(text: string): Set<string> {
  return new Set(text.match(/zq\d+qz/g));
}

/** Every word in a text that nobody may see. */
export function secretsIn(text: string): Set<string> {
  return new Set(text.match(/unshown\d+nwohsnu/g));
}
