/** Merges JSON by its keys, where a merge of lines would see a conflict in each list of dependencies. */
import { isDeepStrictEqual } from 'node:util';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/**
 * @param decide - The value where both changed it; undefined keeps the owner's.
 * @returns the merged value, and what keeps the owner's version.
 */
export function mergeJson(
  base: Json | undefined,
  own: Json,
  released: Json,
  decide: (own: Json, released: Json) => Json | undefined = () => undefined,
): { value: Json; left: string[] } {
  const left: string[] = [];
  const mergeAt = (place: string, [was, mine, theirs]: (Json | undefined)[]): Json | undefined => {
    if (isDeepStrictEqual(was, theirs) || isDeepStrictEqual(mine, theirs)) return mine;
    if (isDeepStrictEqual(was, mine)) return theirs;
    if (isObject(mine) && isObject(theirs)) {
      const before = isObject(was) ? was : {};
      const keys = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
      return Object.fromEntries(
        [...keys].flatMap((key): [string, Json][] => {
          const values = [before, mine, theirs].map((each) =>
            Object.hasOwn(each, key) ? each[key] : undefined,
          );
          const value = mergeAt(place === '' ? key : `${place}.${key}`, values);
          return value === undefined ? [] : [[key, value]];
        }),
      );
    }
    const decided = mine !== undefined && theirs !== undefined ? decide(mine, theirs) : undefined;
    if (decided !== undefined) return decided;
    left.push(`${place}, which is ${shown(theirs)} in the release`);
    return mine;
  };
  return { value: mergeAt('', [base, own, released]) ?? null, left };
}

function isObject(value: Json | undefined): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: Json | undefined): string {
  return value === undefined ? 'not' : JSON.stringify(value);
}
