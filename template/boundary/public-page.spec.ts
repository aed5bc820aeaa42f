/** A page that caches keep, in the frame: the same document for everybody, to which the browser adds who the visitor is. */
import { expect, test } from '../recipes/recipe-fixtures';

test('who is signed in comes by script, before and after a document from the cache [W14 W16 W20]', async ({
  context,
  framed,
  login,
}) => {
  const documents: string[] = [];
  context.on('response', (response) => {
    if (response.url().endsWith('/listings/kiln'))
      void response.text().then((text) => documents.push(text));
  });
  await framed.open('/listings/kiln');
  await framed.hydrated();
  const { site } = framed;
  const platformAccount = site.getByRole('group', { name: 'Platform account' });
  const siteAccount = site.getByRole('group', { name: 'Site account' });
  await expect(site.getByRole('heading', { name: 'A small kiln' })).toBeVisible();
  await expect(platformAccount.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expect(siteAccount.getByRole('link', { name: 'Sign in' })).toBeVisible();

  await login('ada');
  await expect(platformAccount.getByText('Ada Quist').first()).toBeVisible();
  expect(await framed.path()).toBe('/listings/kiln');
  await framed.open('/listings/kiln');
  await expect(platformAccount.getByText('Ada Quist').first()).toBeVisible();
  await expect(siteAccount.getByRole('link', { name: 'Sign in' })).toBeVisible();
  expect(new Set(documents).size).toBe(1);
  expect(documents[0]).not.toContain('Ada');

  // The data of client navigations says it at once.
  await site.getByRole('link', { name: 'Home' }).first().click();
  await expect(site.getByText('Welcome back, Ada Quist.')).toBeVisible();
});

test('a feed and a site map are well-formed XML', async ({ framed, platform }) => {
  await framed.open('/listings/kiln');
  for (const address of ['/feed.xml', '/sitemap.xml']) {
    const fault = await (
      await framed.frame()
    ).evaluate(async (url) => {
      const text = await (await fetch(url)).text();
      const parsed = new DOMParser().parseFromString(text, 'application/xml');
      return parsed.querySelector('parsererror')?.textContent ?? null;
    }, platform.siteOrigin + address);
    expect(fault).toBeNull();
  }
});
