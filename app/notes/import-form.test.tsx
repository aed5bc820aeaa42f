// @vitest-environment happy-dom
/** The form for importing notes. */
import { data } from '@remix-run/node';
import { createRemixStub } from '@remix-run/testing';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import Import from './routes/import';

afterEach(cleanup);

test('the field is focused and described by its error when the files are rejected', async () => {
  const user = userEvent.setup();
  const error = { files: ['“a.json” is not valid JSON.'] };
  const Page = createRemixStub([
    {
      path: '/notes/import',
      Component: Import,
      loader: () => data({ account: 'ada' }),
      action: () => data({ result: { status: 'error', error }, message: null, other: null }, 422),
    },
  ]);
  render(<Page initialEntries={['/notes/import']} />);
  const files = await screen.findByLabelText('JSON or Markdown files');
  await user.upload(files, new File(['{'], 'a.json', { type: 'application/json' }));
  await user.click(screen.getByRole('button', { name: 'Import' }));
  expect(await screen.findByText('“a.json” is not valid JSON.')).toBeDefined();
  await expect.poll(() => document.activeElement, { interval: 5 }).toBe(files);
  expect(files.getAttribute('aria-invalid')).toBe('true');
});
