// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { ada, openPage, signedOut } from '@gatehouse/platform/remix/testing';
import type { Generation, GenerationOutput } from '~/platform/generations/generations';
import { done } from '~/testing/studio/studio-page';
import { VisitProvider } from '../visit';
import { Clip } from './clip';
import { GenerationCard, type GenerationCardProps } from './generation-card';

const generation: Generation = { ...done, createdAt: '2026-11-21T23:59:00Z' };

const nothing = () => undefined;
const actions = {
  select: nothing,
  view: nothing,
  cancel: nothing,
  reuse: nothing,
  remove: nothing,
};

const open = (
  change: Partial<Generation> = {},
  { usable = true, ...props }: Partial<GenerationCardProps> & { usable?: boolean } = {},
  page = {},
) =>
  openPage(
    () => (
      <VisitProvider value={{ usable, account: 'u1', workspace: undefined }}>
        <GenerationCard
          generation={{ ...generation, ...change }}
          isSelected={false}
          isCanceling={false}
          isSending={false}
          actions={actions}
          {...props}
        />
      </VisitProvider>
    ),
    page,
  );

/** The card's enabled controls, by name. */
const controls = () =>
  screen
    .queryAllByRole<HTMLButtonElement>('button')
    .map((control) => control.getAttribute('aria-label') ?? control.textContent);

test('neither pictures nor clips have a link or native download to their protected file [W21] [W28]', () => {
  open();
  open({ kind: 'clip' });
  expect(
    document.querySelectorAll('a[href*="/api/"], a[download], form[action*="/api/"]'),
  ).toHaveLength(0);
  expect(document.querySelector('video')?.getAttribute('controlslist')).toBe('nodownload');
});

test('a generation’s controls are enabled only once the visitor is confirmed [W16] [W18]', () => {
  open({}, { usable: false }, { loaded: signedOut, user: 401 });
  const all = document.querySelectorAll<HTMLButtonElement>('button, input');
  expect(all.length).toBeGreaterThan(4);
  for (const control of all) expect(control.disabled).toBe(true);
});

test.each([
  ['queued', 'picture', 'Waiting'],
  ['running', 'picture', 'Generating'],
  ['running', 'clip', 'Generating'],
] as const)('a %s %s shows its progress, and can be canceled', (status, kind, words) => {
  open({ kind, status, progress: 0.4, output: null });
  expect(screen.getByText(words)).toBeDefined();
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40');
  expect(controls()).toEqual(['Cancel']);
});

test.each([
  ['prompt_refused', /Try a different one/],
  ['provider_failed', /Something went wrong.*Nothing was charged/],
  ['timed_out', /took too long.*Nothing was charged/],
  ['unknown', /could not be generated/],
] as const)('one that failed says why, and can be made again: %s [W33]', (failure, words) => {
  open({ status: 'failed', failure, output: null });
  expect(screen.getByText(words)).toBeDefined();
  expect(controls()).toEqual(['Try again', 'Reuse', 'Delete']);
});

test('a canceled generation says that its credits were refunded', () => {
  open({ status: 'canceled', output: null });
  expect(screen.getByText('Canceled. Its credits were refunded.')).toBeDefined();
});

test('a picture that failed to load can be retried', async () => {
  open();
  // Pictures do not load here, so it fails immediately.
  expect(screen.getByText('This picture could not be loaded.')).toBeDefined();
  vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(64);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(screen.getByRole('img', { name: 'a fox' }).getAttribute('src')).toBe(
    generation.output?.url,
  );
  expect(screen.queryByText('This picture could not be loaded.')).toBeNull();
});

const clip = { ...generation, kind: 'clip' } as const;
const video = () => document.querySelector('video');

test('a clip can be played, and is requested, only once the visitor is confirmed [W16]', () => {
  open(clip, { usable: false });
  expect([video()?.hasAttribute('controls'), video()?.preload]).toEqual([false, 'none']);
  cleanup();
  open(clip);
  expect([video()?.hasAttribute('controls'), video()?.preload]).toEqual([true, 'metadata']);
});

test('a clip that plays when an outage begins can be paused', () => {
  const card = (usable: boolean) => (
    <Clip output={done.output as GenerationOutput} name="a fox" usable={usable} />
  );
  const { rerender } = render(card(true));
  fireEvent.play(video() as HTMLVideoElement);
  rerender(card(false));
  expect(video()?.hasAttribute('controls')).toBe(true);
  fireEvent.pause(video() as HTMLVideoElement);
  expect(video()?.hasAttribute('controls')).toBe(false);
});

test('a clip that failed to play can be retried', async () => {
  open(clip);
  fireEvent.error(video() as HTMLVideoElement);
  expect(
    screen.getByText('This clip could not be played. Try again, or download it.'),
  ).toBeDefined();
  expect(video()).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(video()?.getAttribute('src')).toBe(generation.output?.url);
});

test('the day of a generation is the same on the server and in every browser', () => {
  open({}, {}, { user: ada });
  expect(screen.getByText('Nov 21, 2026')).toBeDefined();
});

test('while an order is being sent, none replaces it', () => {
  open({}, { isSending: true });
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Reuse' }).disabled).toBe(true);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' }).disabled).toBe(false);
});
