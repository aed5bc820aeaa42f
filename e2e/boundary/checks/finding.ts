/** What a check says of a route. The codes are stable: a site generator acts on them. */

export const checkNames = [
  'signed-out',
  'guard-first',
  'leaks',
  'other-people',
  'kept',
  'trouble',
  'other-sites',
  'signed-out-page',
  'frame',
  'everybody',
] as const;

export type CheckName = (typeof checkNames)[number];

export interface Finding {
  /** The check and what it saw, such as `signed-out/sdk-call`. */
  code: FindingCode;
  /** The route's path, or `*` for what belongs to no route. */
  route: string;
  file: string | null;
  /** One sentence: what was seen, at which address. */
  message: string;
}

export interface FindingMeaning {
  clauses: readonly string[];
  /** What to do, in a sentence. */
  remedy: string;
  /** Where the repository says more, relative to its root. */
  recipe: string;
}

export const findingMeanings = {} as const satisfies Record<string, FindingMeaning>;

export type FindingCode = keyof typeof findingMeanings;
