// @vitest-environment happy-dom
/** The recipes' pages when a different user is signed in than the one for whom they were loaded. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import type { ComponentType } from 'react';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ada, bob, signedIn } from '@gatehouse/platform/remix/testing';
import type { RouteHandle } from '~/route-handle';
import { openInShell } from '~/testing/platform/open-in-shell';
import { files, followedRecipes, root } from './site-recipes';

/** Skipped: the cookie's page and the public one show no user data, and the account pages depend on the site account instead. */
const isOther = (recipe: string) =>
  ['both.md', 'cookie.md', 'public-page.md', 'studio/keep-clip.md'].includes(recipe) ||
  recipe.startsWith('accounts/');
const pages = files.filter(({ title, recipe }) => title?.endsWith('.tsx') && !isOther(recipe));
let folder: string;

beforeAll(async () => {
  const cache = path.join(root, '.cache');
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(path.join(cache, 'recipe-pages-'));
  for (const { title = '', code } of files) {
    await writeFile(path.join(folder, path.basename(title)), code);
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(pages.map(({ title = '' }) => path.basename(title)))(
  '%s hides one user’s data from another, and disables its controls [W16 W18]',
  async (file) => {
    const page = (await import(/* @vite-ignore */ path.join(folder, file))) as {
      default: ComponentType;
      handle?: RouteHandle;
    };
    const loaderData = {
      items: [
        {
          ...{ id: 'wsp_1', name: 'Ada’s own lighthouse', credits: 7, canGenerate: true },
          // Fields of a generation: pages of both kinds read `items`.
          ...{ prompt: 'Ada’s own lighthouse', status: 'running', progress: 0.5 },
          // And of a bookmark.
          title: 'Ada’s own lighthouse',
        },
      ],
      nextCursor: null,
      chosen: 'wsp_1',
      balance: 7,
      entries: [],
      late: Promise.resolve({ count: 7 }),
    };
    const double = openInShell(page, { loaderData });
    const title = () => screen.queryByRole('heading', { level: 1 });
    const enabled = () =>
      [...document.querySelectorAll('button, input:not([type=hidden])')].filter(
        (control) => !control.matches(':disabled') && !control.closest('fieldset:disabled'),
      );
    const showsAda = () => /Ada’s own|7 saved/.test(document.body.textContent);
    // Waits until `/api/user` has confirmed Ada.
    await waitFor(() => {
      expect([title() !== null, enabled().length > 0 || showsAda()]).toEqual([true, true]);
    });
    const requested = double.requested.user;

    double.user = { ...bob, id: `${ada.id} and not` };
    fireEvent.focus(window);
    await waitFor(() => {
      expect([double.requested.user > requested, enabled(), showsAda()]).toEqual([true, [], false]);
    });
  },
);

test('the form with a draft keeps unsent words through another visit, for their author only', async () => {
  const file = path.join(folder, 'save-with-draft.tsx');
  await writeFile(file, (await followedRecipes()).get('app/routes/save.tsx') ?? '');
  const page = (await import(/* @vite-ignore */ file)) as { default: ComponentType };
  const field = () => screen.findByLabelText<HTMLInputElement>('Title');
  const visit = async (user: object) => {
    openInShell(page, { loaded: signedIn(user), user });
    await waitFor(async () => {
      expect((await field()).closest('fieldset')).toHaveProperty('disabled', false);
    });
  };
  await visit(ada);
  fireEvent.change(await field(), { target: { value: 'Lighthouses' } });
  cleanup();
  await visit(ada);
  await waitFor(async () => {
    expect(await field()).toHaveProperty('value', 'Lighthouses');
  });
  cleanup();
  await visit(bob);
  expect(await field()).toHaveProperty('value', '');
});
