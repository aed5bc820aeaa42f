// @vitest-environment happy-dom
/** What a form on a site account keeps of what was typed. */
import { redirect } from '@remix-run/node';
import { Link, useNavigation } from '@remix-run/react';
import { createRemixStub } from '@remix-run/testing';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ActionForm } from '~/ui/action-form';

const user = userEvent.setup();
const ways = [
  { value: 'train', label: 'Train' },
  { value: '2', label: 'Boat' },
  { value: '1', label: 'Bus' },
];
let respond: () => Response;
let arrival: Promise<null>;

afterEach(cleanup);
beforeEach(() => {
  sessionStorage.clear();
});

function openPage(account: string) {
  const Stub = createRemixStub([
    {
      path: '/trip',
      Component: function Trip() {
        const { state } = useNavigation();
        return (
          <>
            {state === 'loading' && <p>Arriving…</p>}
            <ActionForm
              hidden={{ account }}
              fields={[
                { name: 'place', label: 'Place', defaultValue: 'Home' },
                { name: 'words', label: 'Words', rows: 3, isOptional: true },
                { name: 'by', label: 'By', options: ways },
                { name: 'day', label: 'Day', type: 'date', min: '2026-01-01', isOptional: true },
                { name: 'password', label: 'Password', type: 'password' },
              ]}
              submit={{ label: 'Save', busy: 'Saving…' }}
            />
          </>
        );
      },
      action: () => respond(),
    },
    { path: '/sign-in', Component: () => <Link to="/trip">Back</Link> },
    {
      path: '/done',
      // The root's loader takes as long as a request.
      loader: () => arrival,
      Component: () => <Link to="/trip">Again</Link>,
    },
  ]);
  render(<Stub initialEntries={['/trip']} />);
}

async function openForm() {
  openPage('ada');
  await user.clear(screen.getByLabelText('Place'));
  await user.type(screen.getByLabelText('Place'), 'Lisbon');
  await user.type(screen.getByLabelText('Words'), 'By train');
  await user.selectOptions(screen.getByLabelText('By'), 'Boat');
  await user.type(screen.getByLabelText('Password'), 'secret');
}

const send = () => user.click(screen.getByRole('button', { name: 'Save' }));
const values = () =>
  ['Place', 'Words', 'By', 'Password'].map(
    (label) => screen.getByLabelText<HTMLInputElement>(label).value,
  );
const refusal = (error: Record<string, string[]>) => ({
  intent: '',
  result: {
    status: 'error',
    initialValue: { place: 'Lisbon', words: 'By train', by: '2' },
    error,
  },
  message: null,
});

test('refused, the form says why at the field, and keeps what was typed', async () => {
  respond = () =>
    Response.json(refusal({ place: ['Too far.'], '': ['Try later.'] }), { status: 422 });
  await openForm();
  await send();
  expect(await screen.findByText('Too far.')).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toBe('Try later.');
  expect(values()).toEqual(['Lisbon', 'By train', '2', 'secret']);
});

test('the session has ended: what was typed is there after sign-in, except the password', async () => {
  respond = () => redirect('/sign-in?return=/trip');
  await openForm();
  await send();
  await user.click(await screen.findByText('Back'));
  expect(values()).toEqual(['Lisbon', 'By train', '2', '']);
});

test('the session has ended: another account finds the form as it was stored', async () => {
  respond = () => redirect('/sign-in?return=/trip');
  await openForm();
  await send();
  await screen.findByText('Back');
  cleanup();
  openPage('bob');
  expect(values()).toEqual(['Home', '', 'train', '']);
  expect(sessionStorage.length).toBe(0);
});

test('a form that nobody has touched keeps nothing; a date has its bounds, and a choice its order', async () => {
  openPage('ada');
  expect(screen.getByLabelText('Day').getAttribute('min')).toBe('2026-01-01');
  const choices = screen.getAllByRole('option').map(({ textContent }) => textContent);
  expect(choices).toEqual(['Train', 'Boat', 'Bus']);
  cleanup();
  await Promise.resolve();
  expect(sessionStorage.length).toBe(0);
});

test('accepted, the next form is as it was stored', async () => {
  respond = () => redirect('/done');
  let arrive: (value: null) => void = () => {};
  arrival = new Promise((resolve) => (arrive = resolve));
  await openForm();
  await send();
  await screen.findByText('Arriving…');
  arrive(null);
  await user.click(await screen.findByText('Again'));
  expect(values()).toEqual(['Home', '', 'train', '']);
});
