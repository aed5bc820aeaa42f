/** Mistakes in platform calls: past the SDK, with a token, or after the response. */
import { api, openPage, page, type Mistake } from './mistake';

export const calls: readonly Mistake[] = [
  {
    row: 'a call to the platform outside the SDK',
    reportedAs: ['guard-first/rule-broken', 'guard-first/unguarded-call'],
    variants: {
      'balance-by-fetch': {
        api: api(
          'const found = await fetch(`${siteEnv().platformInternalUrl}/balance`).catch(() => null);\n  return Response.json({ isThere: found?.ok === true });',
        ),
      },
      'teams-by-undici': {
        api: api(
          "const found = await undiciRequest(new URL('/teams', siteEnv().platformInternalUrl)).catch(() => null);\n  await found?.body.dump();\n  return Response.json({ isThere: found?.statusCode === 200 });",
        ),
      },
      'feed-by-http': {
        api: api(
          "const status = await new Promise((resolve) => httpGet(`${siteEnv().platformInternalUrl}/feed`, (found) => { found.resume(); resolve(found.statusCode); }).on('error', () => resolve(0)));\n  return Response.json({ isThere: status === 200 });",
        ),
      },
    },
  },
  {
    row: 'a token or an `Authorization` header',
    reportedAs: ['guard-first/rule-broken'],
    variants: {
      'bearer-token': {
        api: api(
          "const found = await fetch(`${siteEnv().platformInternalUrl}/generations`, { headers: { authorization: 'Bearer of-this-site' } }).catch(() => null);\n  await found?.text().catch(() => '');\n  return Response.json({ isThere: found?.ok === true });",
        ),
      },
      'key-in-header': {
        api: api(
          "const headers = new Headers();\n  headers.set('X-Api-Key', 'of-this-site');\n  const found = await undiciRequest(`${siteEnv().platformInternalUrl}/generations`, { headers: Object.fromEntries(headers) }).catch(() => null);\n  await found?.body.dump().catch(() => undefined);\n  return Response.json({ isThere: found?.statusCode === 200 });",
        ),
      },
      'token-in-query': {
        api: api(
          "const { status } = await callUpstream({ path: '/generations?access_token=of-this-site' }).catch(() => ({ status: 502 }));\n  return Response.json({ isThere: status === 200 });",
        ),
      },
    },
  },
  {
    row: 'a loader that changes something at the platform',
    reportedAs: ['other-sites/read-writes'],
    variants: {
      'order-by-link': {
        api: api(
          "return respondWith(() => createPlatformSdk(guard).generations.submit(...pictureOf('A lighthouse')));",
        ),
      },
      'order-on-view': {
        page: page({
          loader: `
export async function loader({ request, context }: LoaderFunctionArgs) {
  const guard = await requirePlatformUser({ request, context });
  const items = await picturesOf(guard);
  if (items.length < 3) {
    await createPlatformSdk(guard).generations.submit(...pictureOf('A lighthouse')).catch((error) => {
      if (!(error instanceof PlatformSdkError)) throw error;
    });
  }
  return { items };
}`,
        }),
      },
      'order-beside-list': {
        page: openPage({
          loader: `
export async function loader({ context }: LoaderFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok) return { items: [] };
  const [items] = await Promise.all([picturesOf(guard), orderOne(guard)]);
  return { items };
}
async function orderOne(guard) {
  try {
    await createPlatformSdk(guard).generations.submit(...pictureOf('A harbour'));
  } catch (error) {
    if (!(error instanceof PlatformSdkError)) throw error;
  }
}`,
        }),
      },
    },
  },
  {
    row: 'an SDK call that is not awaited',
    reportedAs: ['guard-first/late-call'],
    variants: {
      'second-call-not-awaited': {
        api: api(
          `return respondWith(async () => {
    const sdk = createPlatformSdk(guard);
    const { items } = await sdk.generations.list();
    void readAll(sdk, items).catch(() => undefined);
    return { count: items.length };
  });`,
          `async function readAll(sdk, items) {
  for (const { id } of [...items, ...items]) await sdk.generations.get(id);
}`,
        ),
      },
      'later-by-timer': {
        api: api(
          `setTimeout(async () => {
    await picturesOf(guard).catch(() => undefined);
  }, 1_500);
  return Response.json({ ok: true });`,
        ),
      },
      'polled-in-background': {
        api: api(
          `const watch = async (times) => {
    for (let time = 0; time < times; time++) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      await picturesOf(guard).catch(() => undefined);
    }
  };
  void watch(12).catch(() => undefined);
  return Response.json({ watching: true });`,
        ),
      },
    },
  },
];
