// @vitest-environment happy-dom
/** The list of notes changes before the server answers, and changes back if it refuses. */
import { data, type ActionFunctionArgs } from '@remix-run/node';
import { createRemixStub } from '@remix-run/testing';
import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NoteSummary } from './note';
import { NoteList } from './note-list';

afterEach(cleanup);

const user = userEvent.setup();

const note = (id: string, title: string): NoteSummary => ({
  id,
  title,
  text: '',
  tags: [],
  pinned: false,
  updatedAt: '2026-11-20T00:00:00.000Z',
});
const notes = [note('n1', 'Bread'), note('n2', 'Boat')];

interface Call {
  intent: unknown;
  pinned: unknown;
  /** Answers the request. */
  refuse: () => void;
}

let calls: Call[] = [];

beforeEach(() => {
  calls = [];
  const List = () => <NoteList account="ada" notes={notes} />;
  const action = async ({ request }: ActionFunctionArgs) => {
    const form = await request.formData();
    return new Promise((resolve) => {
      calls.push({
        intent: form.get('intent'),
        pinned: form.get('pinned'),
        refuse: () => {
          resolve(data({ message: 'Try again in a moment.' }, 503));
        },
      });
    });
  };
  const Page = createRemixStub([{ path: '/notes', Component: List, action }]);
  render(<Page initialEntries={['/notes']} />);
});

const item = (title: string) => {
  const found = screen
    .getAllByRole('listitem', { hidden: true })
    .find((candidate) => within(candidate).queryByRole('heading', { name: title, hidden: true }));
  if (!found) throw new Error(`There is no note “${title}”.`);
  return found;
};

test('a note is shown as pinned before the server answers, and as before if it refuses', async () => {
  await user.click(within(item('Bread')).getByRole('button', { name: 'Pin' }));
  await within(item('Bread')).findByText('Pinned');
  expect(within(item('Boat')).queryByText('Pinned')).toBeNull();
  expect(calls).toMatchObject([{ intent: 'pin', pinned: 'true' }]);

  calls[0]?.refuse();
  await within(item('Bread')).findByText('Try again in a moment.');
  expect(within(item('Bread')).queryByText('Pinned')).toBeNull();
  expect(within(item('Bread')).getByRole('button', { name: 'Pin' })).toBeDefined();
});

test('a note is gone before the server answers, and back if it refuses', async () => {
  await user.click(within(item('Bread')).getByRole('button', { name: 'Delete' }));
  await expect.poll(() => item('Bread').hidden, { interval: 5 }).toBe(true);
  expect(item('Boat').hidden).toBe(false);
  await expect.poll(() => calls, { interval: 5 }).toMatchObject([{ intent: 'delete' }]);

  calls[0]?.refuse();
  await within(item('Bread')).findByText('Try again in a moment.');
  expect(item('Bread').hidden).toBe(false);
});
