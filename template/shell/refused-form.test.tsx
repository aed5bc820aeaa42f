// @vitest-environment happy-dom
/** A form whose submission was refused, and the account that it is sent for. */
import { Form, useActionData } from '@remix-run/react';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { toSafeProfile } from '@gatehouse/platform';
import { useAuthor, useRefusal, useUser } from '@gatehouse/platform/react';
import { ada, bob, openPage, signedIn, signedOut } from '@gatehouse/platform/remix/testing';

function Page() {
  const response = useActionData<{ code: string }>();
  useRefusal(response);
  const { view } = useUser();
  return (
    <Form method="post">
      <input type="hidden" name="account" value={useAuthor()} />
      <input aria-label="Words" name="words" />
      <button type="submit">Send</button>
      <p>{[view.status, response?.code].join(' ')}</p>
      {view.status === 'signed-in' && <p>{view.profile.displayName}</p>}
    </Form>
  );
}

const account = () => document.querySelector<HTMLInputElement>('[name=account]')?.value;
const keyOf = (profile: object) => toSafeProfile(profile).key;
const words = () => screen.getByRole<HTMLInputElement>('textbox');

const send = async (code: string, user: object | number) => {
  const page = openPage(Page, { action: () => Response.json({ code }, { status: 409 }) });
  await screen.findByText('signed-in');
  fireEvent.change(words(), { target: { value: 'my dear words' } });
  page.user = user;
  fireEvent.click(screen.getByRole('button'));
  return page;
};

test.each(['unauthorized', 'account_changed'])(
  'after %s the page checks who is signed in, and keeps the words [W11] [W16]',
  async (code) => {
    // The root loader still says that Ada is signed in: nothing but the check can know otherwise.
    await send(code, 401);
    await screen.findByText(/^signed-out/);
    expect(words().value).toBe('my dear words');
  },
);

test('after insufficient_credits the page loads the balance, and keeps the words [W11]', async () => {
  const page = await send('insufficient_credits', ada);
  await screen.findByText('signed-in insufficient_credits');
  await waitFor(() => {
    expect(page.requested).toEqual({ user: 1, root: 2 });
  });
  expect(words().value).toBe('my dear words');
});

test('after any other refusal the page does nothing by itself', async () => {
  const page = await send('invalid_prompt', 401);
  await screen.findByText('signed-in invalid_prompt');
  expect(page.requested.user).toBe(1);
  expect(words().value).toBe('my dear words');
});

test('the form is its page’s account’s from the server’s first document on [W13]', async () => {
  openPage(Page);
  expect(account()).toBe(keyOf(ada));
  await screen.findByText('signed-in');
  expect(account()).toBe(keyOf(ada));
});

test('a form that was loaded signed out is nobody’s, until somebody signs in [W13]', async () => {
  const page = openPage(Page, { loaded: signedOut, user: 401 });
  expect(account()).toBe('');
  await waitFor(() => {
    expect(page.requested.user).toBe(1);
  });
  page.user = ada;
  page.loaded = signedIn();
  fireEvent.focus(window);
  await screen.findByText('signed-in');
  expect(account()).toBe(keyOf(ada));
});

test('a form stays its author’s when another person signs in [W13]', async () => {
  const page = openPage(Page);
  await screen.findByText('signed-in');
  page.user = bob;
  page.loaded = signedIn(bob);
  fireEvent.focus(window);
  await screen.findByText('Bob');
  expect(account()).toBe(keyOf(ada));
});
