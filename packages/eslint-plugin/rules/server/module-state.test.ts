/** Modules must not keep one visitor's data for another. */
import { phrasings } from '../../test/rule-tester';
import rule from './module-state';

phrasings(
  'site/module-state reports mutable module state [W13] [W20]',
  rule,
  {
    variable: [
      'let user: unknown;\nexport const set = (value: unknown) => { user = value; return user; };',
      'export let current = 0;\nexport const next = () => { current += 1; };',
      'var last = 0;\nexport const touch = () => last;',
      'export const next = (() => { let count = 0; return () => ++count; })();',
      'export const remember = (() => { const all = new Map<string, string>(); return (id: string) => all.get(id); })();',
      'export class Store { static count = 0; }',
      'export class Store { static readonly users = new Map<string, string>(); }',
      'export const keep = (value: string) => { (globalThis as Record<string, unknown>)["kept"] = value; };',
      'declare global { var kept: string; }\nexport const keep = (value: string) => { globalThis.kept ??= value; };',
    ],
    written: [
      'const users = new Map<string, unknown>();\nexport const keep = (id: string, user: unknown) => users.set(id, user);',
      'export const sessions = new WeakMap<object, string>();',
      'const seen = new Set<string>();\nexport const isNew = (id: string) => !seen.has(id);',
      'const posts: string[] = [];\nexport const add = (post: string) => { posts.push(post); };',
      "const posts = ['first'];\nexport function add(post: string) { posts[posts.length] = post; }",
      'const posts: string[] = [];\nexport const add = (post: string) => { const all = posts; all.unshift(post); };',
      'const cache: Record<string, unknown> = {};\nexport const keep = (id: string, value: unknown) => { cache[id] ??= value; };',
      'const state = { user: null as unknown };\nexport const set = (user: unknown) => { state.user = user; };',
      'const state = { count: 0 };\nexport const hit = () => state.count++;',
      'const store = { users: new Map<string, string>() };\nexport const keep = (id: string) => store.users.set(id, id);',
      'const state = { user: null as unknown };\nexport const set = (user: unknown) => Object.assign(state, { user });',
      "const cache: Record<string, string> = { a: 'b' };\nexport const drop = (id: string) => { delete cache[id]; };",
      'const ref = { current: null as unknown };\nexport const set = (value: unknown) => { ref.current = value; };',
      "import { site } from '~/site.config';\nexport const rename = (name: string) => { (site as { name: string }).name = name; };",
    ],
    cache: [
      "import memoize from 'lodash/memoize';\nexport const load = memoize(async (id: string) => id);",
      "import { LRUCache } from 'lru-cache';\nexport const users = new LRUCache({ max: 100 });",
      "import { memoize } from 'lodash-es';\nexport const load = memoize(async (id: string) => id);",
    ],
  },
  [
    "const roles = ['reader', 'writer'];\nexport const isRole = (name: string) => roles.includes(name);",
    "const names = new Map([['a', 'b']]);\nexport const nameOf = (id: string) => names.get(id);",
    'const none: readonly string[] = [];\nexport const list = (given?: string[]) => given ?? none;',
    'const noErrors: string[] = [];\nexport const errorsOf = (given?: string[]) => given ?? noErrors;',
    "export const points = [{ title: 'one' }, { title: 'two' }];",
    'const byId = new Map([[1, 2]]);\nfor (const [key, value] of [[3, 4]] as const) byId.set(key, value);\nexport const get = (id: number) => byId.get(id);',
    'export function collect(items: string[]) { const found: string[] = []; for (const one of items) found.push(one); return found; }',
    'const Page = () => null;\nPage.displayName = "Page";\nexport default Page;',
    "const day = new Intl.DateTimeFormat('en');\nexport const dayOf = (at: Date) => day.format(at);",
    "import { useRef } from 'react';\nexport function useCount() { const count = useRef(0); count.current += 1; return count; }",
    "const sorted = ['b', 'a'].sort();\nexport const first = () => sorted[0];",
    "const roles = ['b', 'a'];\nexport const listed = () => roles.toSorted().concat('c');",
    'export class Price { static readonly currency = "EUR"; }',
    'const empty: ReadonlySet<string> = new Set();\nexport const has = (id: string) => empty.has(id);',
  ],
);
