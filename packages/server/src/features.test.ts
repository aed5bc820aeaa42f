/** Features join a site: what each gives to the server and to the root's loader. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSite, loadFeatures, type SiteFeature } from './features.ts';
import { remix } from './framework/remix/index.ts';
import { createRequestContext } from './requests/request-context.ts';
import { SettingError } from './settings/setting.ts';
import { settings } from './testing/listening-site.ts';
import { logged } from './testing/log-double.ts';

vi.mock('./log.ts', () => import('./testing/log-double.ts'));

const siteOf = (features: Record<string, SiteFeature>) =>
  createSite({ framework: remix, features, config: { name: 'A site' }, settings: () => settings });

const url = new URL('https://site.example/');

function argsFor(features: Record<string, SiteFeature>) {
  const { signal } = new AbortController();
  const context = createRequestContext(url, siteOf(features), {
    ...{ signal, requestId: 'r1', nonce: 'n1' },
  });
  return { request: new Request(url, { signal }), context };
}

test('a site asks every feature, and the first that has a response gives it', () => {
  const gone = new Response(null, { status: 503 });
  const relay = { path: '/api/user', respond: () => Promise.reject(new Error('unused')) };
  const features: Record<string, SiteFeature> = {
    plain: { order: 1 },
    checked: {
      order: 2,
      hasCheckedIdentity: () => true,
      hiddenInLog: () => ({ '10.0.0.1': '<A>' }),
    },
    failing: {
      order: 3,
      relay,
      responseFor: (error) => (error === 'gone' ? gone : undefined),
      isLogged: (error) => error === 'logged',
      hiddenInLog: () => ({ '10.0.0.2': '<B>' }),
    },
  };
  const site = siteOf(features);
  const { context } = argsFor(features);
  expect(site.relay).toBe(relay);
  expect(site.hasCheckedIdentity(context)).toBe(true);
  expect(site.responseFor?.('gone', context)).toBe(gone);
  expect(site.responseFor?.('other', context)).toBeUndefined();
  expect([site.isLogged?.('logged'), site.isLogged?.('other')]).toEqual([true, false]);
  expect(site.settings().hiddenInLog).toEqual({ '10.0.0.1': '<A>', '10.0.0.2': '<B>' });
  expect(siteOf({ plain: { order: 1 } })).not.toHaveProperty('relay');
  expect(siteOf({}).hasCheckedIdentity(context)).toBe(false);
});

test('two features with a relay are refused: one of them would be silent [W03]', () => {
  const relay = { path: '/api/user', respond: () => Promise.reject(new Error('unused')) };
  const features = { a: { order: 1, relay }, b: { order: 2, relay } };
  expect(() => siteOf(features)).toThrow('Two features of this site have a relay');
});

test('features start in their order and stop in reverse, whatever the order of their exports', async () => {
  const done: string[] = [];
  const feature = (order: number, name: string): SiteFeature => ({
    order,
    onStart: () => Promise.resolve().then(() => done.push(`start ${name}`)),
    onStop: () => Promise.resolve().then(() => done.push(`stop ${name}`)),
  });
  const site = siteOf({ late: feature(2, 'late'), none: { order: 3 }, early: feature(1, 'early') });
  await site.onStart?.();
  await site.onStop?.();
  expect(done).toEqual(['start early', 'start late', 'stop late', 'stop early']);
});

test('a feature that fails to stop, or never does, is logged, and the others stop', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const stopped = vi.fn();
  const site = siteOf({
    first: { order: 1, onStop: stopped },
    hangs: { order: 2, onStop: () => new Promise(() => undefined) },
    fails: { order: 3, onStop: () => Promise.reject(new Error('no stop')) },
  });
  const ending = Promise.resolve(site.onStop?.());
  await vi.advanceTimersByTimeAsync(15_000);
  await ending;
  expect(stopped).toHaveBeenCalledOnce();
  expect(logged().map(({ msg }) => msg)).toEqual(Array(2).fill('a feature did not stop'));
});

test('what each feature loads stands under its name, with its cookies', async () => {
  const features = {
    a: {
      order: 1,
      load: () => Promise.resolve({ user: 'ada' }),
      setCookie: () => Promise.resolve('a=1'),
    },
    b: { order: 2, load: () => Promise.resolve(2), setCookie: () => Promise.resolve('b=2') },
    c: { order: 3, setCookie: () => Promise.resolve(null) },
  } satisfies Record<string, SiteFeature>;
  const { loaded, headers } = await loadFeatures(features, argsFor(features));
  expect(loaded).toEqual({ a: { user: 'ada' }, b: 2, c: undefined });
  expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
});

test('a feature learns whether another sends the visitor away', async () => {
  const load = (_: unknown, isLeaving: () => Promise<boolean>) => isLeaving();
  const stays = { a: { order: 1, load }, b: { order: 2, isLeaving: () => Promise.resolve(false) } };
  expect((await loadFeatures(stays, argsFor(stays))).loaded.a).toBe(false);
  const leaves = { ...stays, c: { order: 3, isLeaving: () => Promise.resolve(true) } };
  expect((await loadFeatures(leaves, argsFor(leaves))).loaded.a).toBe(true);
});

test('of a page for everybody, features learn that it is public, and nobody is sent away or marked [W19]', async () => {
  const features = {
    a: {
      order: 1,
      load: async ({ context }, isLeaving) => [context.isPublic, await isLeaving()],
      isLeaving: () => Promise.resolve(true),
      setCookie: () => Promise.resolve('a=1'),
    },
  } satisfies Record<string, SiteFeature>;
  const { request, context } = argsFor(features);
  const shared = { request, context: { ...context, isPublic: true } };
  const { loaded, headers } = await loadFeatures(features, shared);
  expect(loaded).toEqual({ a: [true, false] });
  expect(headers.getSetCookie()).toEqual([]);
});

test('a site names its resources outside /api/, and a name that is not its own is refused with the settings', () => {
  const named = (...resources: string[]) =>
    createSite({
      ...{ framework: remix, features: {}, settings: () => settings },
      config: { name: 'A site', resources },
    });
  const site = named('/feed.xml');
  expect(site.settings()).toMatchObject(settings);
  expect(['/feed.xml', '/api/x', '/feed'].map(site.isResource)).toEqual([true, true, false]);
  expect(() => named('/__auth/*').settings()).toThrow(SettingError);
});
