/** Features join a site: what each gives to the server and to the root's loader. */
import { expect, test } from 'vitest';
import { createSite, loadFeatures, type SiteFeature } from './features.ts';
import { remix } from './framework/remix/index.ts';
import { createRequestContext } from './requests/request-context.ts';
import { isResource, settings } from './testing/listening-site.ts';

const siteOf = (features: Record<string, SiteFeature>) =>
  createSite({ framework: remix, features, isResource, settings: () => settings });

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
  const relay = { path: '/api/user', answer: () => Promise.reject(new Error('unused')) };
  const features: Record<string, SiteFeature> = {
    plain: {},
    asked: { hasAskedIdentity: () => true, hiddenInLog: () => ({ '10.0.0.1': '<A>' }) },
    failing: {
      relay,
      answerFor: (error) => (error === 'gone' ? gone : undefined),
      isLogged: (error) => error === 'logged',
      hiddenInLog: () => ({ '10.0.0.2': '<B>' }),
    },
  };
  const site = siteOf(features);
  const { context } = argsFor(features);
  expect(site.relay).toBe(relay);
  expect(site.hasAskedIdentity(context)).toBe(true);
  expect(site.answerFor?.('gone', context)).toBe(gone);
  expect(site.answerFor?.('other', context)).toBeUndefined();
  expect([site.isLogged?.('logged'), site.isLogged?.('other')]).toEqual([true, false]);
  expect(site.settings().hiddenInLog).toEqual({ '10.0.0.1': '<A>', '10.0.0.2': '<B>' });
  expect(siteOf({ plain: {} })).not.toHaveProperty('relay');
  expect(siteOf({}).hasAskedIdentity(context)).toBe(false);
});

test('features start and stop one after another', async () => {
  const done: string[] = [];
  const feature = (name: string): SiteFeature => ({
    onStart: () => Promise.resolve().then(() => done.push(`start ${name}`)),
    onStop: () => Promise.resolve().then(() => done.push(`stop ${name}`)),
  });
  const site = siteOf({ a: feature('a'), none: {}, b: feature('b') });
  await site.onStart?.();
  await site.onStop?.();
  expect(done).toEqual(['start a', 'start b', 'stop a', 'stop b']);
});

test('what each feature loads stands under its name, with its cookies', async () => {
  const features = {
    a: { load: () => Promise.resolve({ user: 'ada' }), setCookie: () => Promise.resolve('a=1') },
    b: { load: () => Promise.resolve(2), setCookie: () => Promise.resolve('b=2') },
    c: { setCookie: () => Promise.resolve(null) },
  } satisfies Record<string, SiteFeature>;
  const { loaded, headers } = await loadFeatures(features, argsFor(features));
  expect(loaded).toEqual({ a: { user: 'ada' }, b: 2, c: undefined });
  expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
});

test('a feature learns whether another sends the visitor away', async () => {
  const load = (_: unknown, isLeaving: () => Promise<boolean>) => isLeaving();
  const stays = { a: { load }, b: { isLeaving: () => Promise.resolve(false) } };
  expect((await loadFeatures(stays, argsFor(stays))).loaded.a).toBe(false);
  const leaves = { ...stays, c: { isLeaving: () => Promise.resolve(true) } };
  expect((await loadFeatures(leaves, argsFor(leaves))).loaded.a).toBe(true);
});
