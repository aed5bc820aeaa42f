/**
 * Every row of docs/security.md that names types, lint or the start has at least three detected variants. For lint,
 * these are the cases in the tests of each rule, which are counted here; the others are in this file.
 */
import { ESLint } from 'eslint';
import { describe, expect, test, vi } from 'vitest';
import { createSite } from '@gatehouse/server';
import { SettingError } from '@gatehouse/server/settings';
import { parseSiteEnv } from '~/env.server';
import type { GuardResult, PlatformContext } from '@gatehouse/platform/server';
import { createPlatformSdk } from '~/platform.server';
import { site } from '~/server/site';
import { serverBuildOf } from '@gatehouse/server/remix/testing';
import { isResource } from '@gatehouse/server/testing/listening-site';
import { entry } from '@gatehouse/server/test/small-site';
import { remix } from '@gatehouse/server/remix';
import { RouteHandleError } from '@gatehouse/server/route';
import { readRows } from './table';

const { reported } = vi.hoisted(() => ({ reported: new Map<string, Record<string, string[]>>() }));

/** With this mock, importing a rule's test collects its cases instead of running them. */
vi.mock('@gatehouse/lint/test/rule-tester', () => ({
  phrasings(title: string, _rule: unknown, cases: Record<string, string[]>) {
    const [, name = ''] = /^site\/([a-z-]+)/.exec(title) ?? [];
    const known = reported.get(name) ?? {};
    for (const [message, codes] of Object.entries(cases))
      known[message] = [...(known[message] ?? []), ...codes];
    reported.set(name, known);
  },
}));

const ruleTests = import.meta.glob<unknown>('../../packages/lint/rules/*/*.test.ts');

/** Message ids by row. For rows that are not listed, all messages of the rule count. */
const messages: Readonly<Record<string, readonly string[]>> = {
  'a failed guard used as a passed one': ['failed'],
  'a forged guard: an object, a cast, a type predicate, `declare`': ['cast'],
  'a loader or action that never calls the guard its `handle` requires': ['missing'],
  'a body, a header, an `await` or a call before the guard; a guard whose result is ignored': [
    'reads',
    'works',
    'ignored',
  ],
  'a layout that guards for its children': ['missing'],
  'a redirect or navigation to a target from a query, a form or data': ['given'],
  'a redirect to another site': ['another'],
  'origins of `externalRedirect` that are not literals': ['origins'],
  'a call to the platform outside the SDK': ['upstream'],
  '`fetch`, a client, a socket or a beacon in a page or loader, under any name': ['call'],
  'a setting read in a route or component': ['read'],
  'the internal address outside its one caller': ['address'],
  "a session of the site's own": ['session'],
  'a cookie that the frame drops, or that a script sets': ['dropped', 'script'],
  "the platform's addresses in a second place; a route such as `/login`": ['written', 'route'],
  'a client navigation, a prefetch or a fetch to `/__auth/`; a redirect to it in a loader': [
    'routed',
  ],
};

const rows = readRows();
const ofRule = rows.flatMap(({ mistake, who }) =>
  [...who.matchAll(/\bsite\/([a-z-]+)/g)].map(([, rule = '']) => ({ mistake, rule })),
);

describe('lint', async () => {
  for (const load of Object.values(ruleTests)) await load();

  test('each row listed here is in docs/security.md and names a rule', () => {
    const unnamed = Object.keys(messages).filter(
      (row) => !ofRule.some(({ mistake }) => mistake === row),
    );
    expect(unnamed).toEqual([]);
  });

  test.each(ofRule)('$mistake: site/$rule reports three variants', ({ mistake, rule }) => {
    const cases = reported.get(rule) ?? {};
    const named = messages[mistake] ?? Object.keys(cases);
    for (const message of named) expect(cases[message]?.length ?? 0, message).toBeGreaterThan(0);
    expect(named.flatMap((message) => cases[message] ?? []).length).toBeGreaterThanOrEqual(3);
  });
});

describe('types', () => {
  const context: PlatformContext = {};
  const failed: GuardResult = { ok: false, status: 401, body: null };
  const checked = (): GuardResult => failed;

  /** `npm run typecheck` fails if one of these compiles. The SDK throws for each of them at run time too. */
  const refused: Readonly<Record<string, (() => unknown)[]>> = {
    'an operation without a guard': [
      // @ts-expect-error -- no argument
      () => createPlatformSdk(),
      // @ts-expect-error -- the guard's argument instead of its result
      () => createPlatformSdk(context),
      // @ts-expect-error -- undefined
      () => createPlatformSdk(undefined),
    ],
    'a failed guard used as a passed one': [
      // @ts-expect-error -- an unchecked result
      () => createPlatformSdk(checked()),
      () => {
        const guard = checked();
        // @ts-expect-error -- a failed result
        return guard.ok ? null : createPlatformSdk(guard);
      },
      // @ts-expect-error -- a copy of an unchecked result
      () => createPlatformSdk({ ...checked() }),
    ],
    'a forged guard: an object, a cast, a type predicate, `declare`': [
      // @ts-expect-error -- an object literal
      () => createPlatformSdk({ ok: true, user: { id: 'ada' } }),
      // @ts-expect-error -- a frozen object
      () => createPlatformSdk(Object.freeze({ ok: true as const, user: null })),
      // @ts-expect-error -- a structured clone
      () => createPlatformSdk(structuredClone({ ok: true as const, user: {} })),
    ],
  };

  test('each row that names types is listed here', () => {
    const named = rows.filter(({ who }) => /\btypes\b/.test(who)).map(({ mistake }) => mistake);
    expect(Object.keys(refused).sort()).toEqual(named.sort());
  });

  test.each(Object.entries(refused))('%s: three variants [W13]', (_, phrasings) => {
    expect(phrasings.length).toBeGreaterThanOrEqual(3);
    const outcomes = phrasings.map((phrasing) => {
      try {
        return phrasing();
      } catch (error) {
        return error;
      }
    });
    expect(outcomes.filter((outcome) => !(outcome instanceof TypeError))).toEqual([]);
  });
});

describe('start', () => {
  const machine = { access: 'machine' };
  const required = { PLATFORM_INTERNAL_URL: 'http://127.0.0.1:4001' };
  const startWith = (route: object) =>
    remix.createHandler(
      serverBuildOf({ hook: { id: 'hook', ...route } } as never, entry),
      'production',
      { isResource },
    );

  const shown = () => null;
  const cache = { maxAge: 60 };
  const named = (resource: string) => () =>
    createSite({
      ...{ framework: remix, features: {}, settings: site.settings },
      config: { name: 'A site', resources: [resource] },
    }).settings();

  const refused: Readonly<
    Record<string, [error: typeof SettingError | typeof RouteHandleError, ...(() => unknown)[]]>
  > = {
    'a missing or malformed setting': [
      SettingError,
      () => parseSiteEnv({}),
      () => parseSiteEnv({ PLATFORM_INTERNAL_URL: 'internal.example' }),
      () => parseSiteEnv({ ...required, SITE_ORIGIN: 'https://site.example/path' }),
      () => parseSiteEnv({ ...required, PORT: 'http' }),
    ],
    "`access: 'machine'` on a page": [
      RouteHandleError,
      () => startWith({ path: 'hook', module: { default: () => null, handle: machine } }),
      () => startWith({ path: 'api/hook', module: { default: () => null, handle: machine } }),
      () => startWith({ path: 'hook', module: { action: () => null, handle: machine } }),
    ],
    '`cache` or `embeddable` on what is not for everybody, or a resource outside `/api/` that is protected':
      [
        RouteHandleError,
        () => startWith({ path: 'page', module: { default: shown, handle: { cache } } }),
        () => startWith({ path: 'api/x', module: { handle: { access: 'machine', cache } } }),
        () => startWith({ path: 'api/x', module: { handle: { embeddable: true } } }),
        () =>
          remix.createHandler(
            serverBuildOf({ feed: { id: 'feed', path: 'feed.xml', module: {} } } as never, entry),
            'production',
            { isResource: (pathname) => pathname === '/feed.xml' },
          ),
      ],
    'a reserved address in `resources`': [
      SettingError,
      named('/__auth/*'),
      named('/api/feed.xml'),
      named('/healthz'),
      named('/assets/*'),
    ],
  };

  test('each row that names the start is listed here', () => {
    const named = rows.filter(({ who }) => /\bstart\b/.test(who)).map(({ mistake }) => mistake);
    expect(Object.keys(refused).sort()).toEqual(named.sort());
  });

  test.each(Object.entries(refused))('%s: three variants', (_, [error, ...phrasings]) => {
    expect(phrasings.length).toBeGreaterThanOrEqual(3);
    for (const phrasing of phrasings) expect(phrasing).toThrow(error);
  });
});

test('lint reports forbidden imports between layers', async () => {
  const eslint = new ESLint({
    ruleFilter: ({ ruleId }) => ruleId === 'import-x/no-restricted-paths',
  });
  const cases = [
    [
      'app/ui/button.tsx',
      "import { useUser } from '@gatehouse/platform/react';\nexport { useUser };",
    ],
    ['packages/frame/src/browser/api.ts', "export { siteEnv } from '~/env.server';"],
    [
      'app/platform/media/media.ts',
      "export const load = () => import('~/shell/platform/auth-buttons');",
    ],
    ['packages/platform/src/profile.ts', "export { log } from '@gatehouse/server/log';"],
    ['app/shell/page-shell.tsx', "import '@gatehouse/platform/react';"],
    ['app/shell/platform/home-part.tsx', "import '@gatehouse/platform/server';"],
    ['app/accounts/account-menu.tsx', "import type { UserState } from '@gatehouse/platform';"],
  ] as const;
  for (const [filePath, code] of cases) {
    const [result] = await eslint.lintText(code, { filePath });
    const rules = new Set(result?.messages.map(({ ruleId }) => ruleId));
    expect([filePath, ...rules]).toEqual([filePath, 'import-x/no-restricted-paths']);
  }
});
