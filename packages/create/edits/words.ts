/** The site's words: those of `app/site.json`, and its README's title. */
import type { AuthMode } from '../features.ts';
import { parseJson } from '../request/refusal.ts';

/** What visitors read: the site's name and its home page. */
export const wordsFile = 'app/site.json';

interface Words {
  name?: string;
  headline?: string;
  description?: string;
}

const descriptions: Record<AuthMode, string> = {
  platform: 'Sign in with your platform account to use this site.',
  'in-app': 'Create an account on this site to use it.',
  both: 'Sign in with your platform account, or create an account on this site.',
};

export function wordsFor(title: string, mode: AuthMode): Required<Words> {
  return { name: title, headline: `Welcome to ${title}.`, description: descriptions[mode] };
}

/** The words for the remaining auth mode, if their description is still a placeholder; null if nothing changes. */
export function wordsForMode(text: string, mode: AuthMode): Words | null {
  const words = parseJson(wordsFile, text) as Words;
  const isPlaceholder = Object.values(descriptions).some((each) => each === words.description);
  if (!isPlaceholder || words.description === descriptions[mode]) return null;
  return { ...words, description: descriptions[mode] };
}
