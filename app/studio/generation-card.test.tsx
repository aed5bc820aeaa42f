// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { ada, openPage, signedOut } from '~/testing/page-double';
import { GenerationCard } from './generation-card';

const generation = {
  id: 'g1',
  prompt: 'a fox',
  status: 'succeeded' as const,
  progress: 1,
  createdAt: '2026-11-21T23:59:00Z',
  output: { url: '/api/generations/g1/output.png', filename: 'g1.png', width: 64, height: 64 },
};

test('no link and no native download leads to a protected file [W21] [W28]', async () => {
  openPage(() => <GenerationCard generation={generation} usable />);
  await userEvent.click(screen.getByRole('button', { name: 'View' }));
  expect(await screen.findByRole('dialog', { name: 'a fox' })).toBeDefined();
  expect(
    document.querySelectorAll('a[href*="/api/"], a[download], form[action*="/api/"]'),
  ).toHaveLength(0);
});

test('a picture’s controls work only once it is known whose it is [W16] [W18]', () => {
  openPage(() => <GenerationCard generation={generation} usable={false} />, {
    loaded: signedOut,
    user: 401,
  });
  for (const control of screen.getAllByRole<HTMLButtonElement>('button')) {
    expect(control.disabled).toBe(true);
  }
});

test.each([
  ['queued', 'Waiting'],
  ['running', 'Drawing'],
] as const)('a picture that is %s shows how far it is, and nothing to save', (status, words) => {
  openPage(() => (
    <GenerationCard usable generation={{ ...generation, status, progress: 0.4, output: null }} />
  ));
  expect(screen.getByText(words)).toBeDefined();
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40');
  expect(screen.queryByRole('button')).toBeNull();
});

test('a picture that failed says so, and no more [W33]', () => {
  openPage(() => (
    <GenerationCard usable generation={{ ...generation, status: 'failed', output: null }} />
  ));
  expect(screen.getByText('This picture could not be made. Try it in other words.')).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
});

test('a picture that could not be loaded is asked for again', async () => {
  openPage(() => <GenerationCard usable generation={generation} />);
  // Nothing loads pictures here, so it is lost at once.
  expect(screen.getByText('This picture could not be loaded.')).toBeDefined();
  vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(64);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.getByRole('img', { name: 'a fox' }).getAttribute('src')).toBe(
    generation.output.url,
  );
  expect(screen.queryByText('This picture could not be loaded.')).toBeNull();
});

test('a picture’s whole words are in its view, and not in the name of it', async () => {
  const prompt = `a fox ${'in the snow '.repeat(100)}`.trim();
  openPage(() => <GenerationCard usable generation={{ ...generation, prompt }} />);
  await userEvent.click(screen.getByRole('button', { name: 'View' }));
  const dialog = await screen.findByRole('dialog', { name: `${prompt.slice(0, 120).trimEnd()}…` });
  expect(within(dialog).getByText(prompt)).toBeDefined();
});

test('the day of a picture is the same on the server and in every browser', () => {
  openPage(() => <GenerationCard usable generation={generation} />, { user: ada });
  expect(screen.getByText('Nov 21, 2026')).toBeDefined();
});
