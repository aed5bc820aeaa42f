// @vitest-environment happy-dom
/** Unsent notes, kept through a sign-in that leaves the page. */
import { redirect, type ActionFunctionArgs } from '@remix-run/node';
import { Link, Outlet, useNavigation } from '@remix-run/react';
import { createRemixStub } from '@remix-run/testing';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SignOutForm } from '~/accounts/sign-out-form';
import NotePage from './routes/note';
import Notes from './routes/notes';

// React does not know the element `search` outside a browser.
vi.mock('./search-form', () => ({ SearchForm: () => null }));

afterEach(cleanup);
beforeEach(() => {
  sessionStorage.clear();
});

const user = userEvent.setup();
const id = '1d3b25f4-5a53-4d9e-8b1e-0c9e2a7b6f01';
const updatedAt = '2026-11-20T00:00:00.000Z';

/** What the server would answer. A test can change it while a page is open. */
const server = {
  account: 'ada',
  isSignedIn: true,
  version: 1,
  text: 'Stored.',
  /** Answers the request for the page that an accepted form leads to. */
  arrive: () => {},
};

beforeEach(() => {
  Object.assign(server, { account: 'ada', isSignedIn: true, version: 1, text: 'Stored.' });
});

const note = () => ({
  id,
  title: 'Plan',
  text: server.text,
  tags: ['a', 'b'],
  pinned: false,
  version: server.version,
  updatedAt,
  deleted: false,
});

/** The notes' own pages, with a stand-in for sign-in. */
function openSite(at: string): void {
  const signIn = (path: string) => redirect(`/sign-in?return=${encodeURIComponent(path)}`);
  const Root = () => (
    <>
      <p>{useNavigation().state}</p>
      <Outlet />
      <SignOutForm />
    </>
  );
  const pages = [
    {
      path: '/notes',
      Component: Notes,
      loader: () =>
        Response.json({
          account: server.account,
          notes: [],
          nextCursor: null,
          tags: [],
          query: '',
          tag: '',
          isFirstPage: true,
          deleted: null,
          added: null,
          newId: crypto.randomUUID(),
        }),
      action: () => (server.isSignedIn ? redirect('/elsewhere', 303) : signIn('/notes')),
    },
    {
      path: '/notes/:id',
      Component: NotePage,
      loader: () => Response.json({ account: server.account, note: note() }),
      action: async ({ request }: ActionFunctionArgs) => {
        if (!server.isSignedIn) return signIn(`/notes/${id}`);
        const form = await request.formData();
        if (Number(form.get('version')) === server.version) return redirect('/elsewhere', 303);
        const { title, text, tags } = Object.fromEntries(form);
        const result = { status: 'error', initialValue: { title, text, tags } };
        return Response.json(
          { result, message: null, other: note(), another: null },
          { status: 409 },
        );
      },
    },
    { path: '/sign-in', Component: () => <Link to="/notes">To the list</Link> },
    { path: '/sign-out', action: () => redirect('/elsewhere', 303) },
    {
      path: '/elsewhere',
      Component: () => <p>Elsewhere</p>,
      loader: () =>
        new Promise<null>((resolve) => {
          server.arrive = () => {
            resolve(null);
          };
        }),
    },
  ];
  const Site = createRemixStub([{ path: '/', Component: Root, children: pages }]);
  render(<Site initialEntries={[at]} />);
}

const field = (name: 'Title' | 'Text' | 'Tags') => screen.findByLabelText<HTMLInputElement>(name);

async function type(name: 'Title' | 'Text' | 'Tags', words: string): Promise<void> {
  const control = await field(name);
  await user.clear(control);
  await user.type(control, words);
}

async function press(name: string): Promise<void> {
  await user.click(await screen.findByRole('button', { name, hidden: true }));
}

async function isAccepted(): Promise<void> {
  await screen.findByText('loading');
  server.arrive();
  await screen.findByText('Elsewhere');
}

/** Opens a page anew, as after a sign-in whose browser loads the site again. */
function arrive(at: string): void {
  cleanup();
  openSite(at);
}

test('a new note whose session had ended is there after sign-in, in the open form', async () => {
  openSite('/notes');
  await type('Title', 'Plan');
  await type('Text', 'Typed for an hour.');
  await type('Tags', 'home');
  server.isSignedIn = false;
  await press('Add note');
  await user.click(await screen.findByRole('link', { name: 'To the list' }));
  expect((await field('Text')).value).toBe('Typed for an hour.');
  expect((await field('Title')).value).toBe('Plan');
  expect((await field('Tags')).value).toBe('home');
  expect((await field('Text')).closest('details')?.open).toBe(true);
});

test('another person who signs in gets nothing of it, and it is deleted', async () => {
  openSite('/notes');
  await type('Text', 'Typed for an hour.');
  server.isSignedIn = false;
  await press('Add note');
  await screen.findByRole('link', { name: 'To the list' });
  expect(sessionStorage.getItem('draft:new-note')).toContain('Typed for an hour.');
  server.account = 'eve';
  arrive('/notes');
  expect((await field('Text')).value).toBe('');
  await waitFor(() => {
    expect(sessionStorage).toHaveLength(0);
  });
});

test('a note that was added is no draft', async () => {
  openSite('/notes');
  await type('Text', 'Typed.');
  await press('Add note');
  await isAccepted();
  expect(sessionStorage).toHaveLength(0);
});

test('a change is there after sign-in, and conflicts with what was saved in the meantime', async () => {
  openSite(`/notes/${id}`);
  await type('Text', 'Changed here.');
  server.isSignedIn = false;
  await press('Save');
  await screen.findByRole('link', { name: 'To the list' });
  Object.assign(server, { isSignedIn: true, version: 2, text: 'Changed elsewhere.' });
  arrive(`/notes/${id}`);
  await waitFor(async () => {
    expect((await field('Text')).value).toBe('Changed here.');
  });
  await press('Save');
  await screen.findByRole('heading', { name: 'This note was changed in the meantime' });
  expect((await field('Text')).value).toBe('Changed here.');
  expect(screen.getByText('Changed elsewhere.')).toBeDefined();

  await press('Keep mine');
  await isAccepted();
  expect(sessionStorage).toHaveLength(0);
});

test('a version that was discarded for the current one is no draft', async () => {
  openSite(`/notes/${id}`);
  await type('Text', 'Changed here.');
  Object.assign(server, { version: 2, text: 'Changed elsewhere.' });
  await press('Save');
  const link = await screen.findByRole('link', { name: 'Use the current version' });
  link.addEventListener('click', (event) => {
    event.preventDefault();
  });
  await user.click(link);
  arrive(`/notes/${id}`);
  expect((await field('Text')).value).toBe('Changed elsewhere.');
  expect(sessionStorage).toHaveLength(0);
});

test('nothing is kept when its author signs out', async () => {
  openSite('/notes');
  await type('Text', 'Typed.');
  await press('Sign out');
  await isAccepted();
  expect(sessionStorage).toHaveLength(0);
});

test('a note that was not changed leaves nothing behind', async () => {
  openSite(`/notes/${id}`);
  await field('Text');
  cleanup();
  expect(sessionStorage).toHaveLength(0);
});
