/** What a form responds with, whatever it is about. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readForm, type FormOutcome, type FormReply } from './forms.ts';
import type { AccountsSite } from './site.ts';

const site: AccountsSite = {
  settings: () => {
    throw new Error('No form needs them.');
  },
  store: () => {
    throw new Error('Nor the store.');
  },
  log: console,
  networkOf: () => null,
  mailOf: (mail) => ({ subject: mail, text: '' }),
  formMessages: {
    limited: (minutes) => `Try again in ${minutes} min.`,
    otherAccount: 'Another account.',
  },
  signInPath: '/sign-in',
};

const schema = z.object({ place: z.string(), password: z.string().min(3) });

async function submit(fields: Record<string, string>, outcome: FormOutcome) {
  const body = new URLSearchParams({ intent: 'move', ...fields });
  const request = new Request('https://site.example/', { method: 'POST', body });
  const form = await readForm(site, { request, context: {} });
  return form.submit(schema, () => Promise.resolve(outcome));
}

test('a refusal repeats what was typed, except secrets', async () => {
  const response = await submit({ place: 'Lisbon', password: 'no' }, { done: 'Moved.' });
  expect(response.status).toBe(422);
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({
    intent: 'move',
    result: { initialValue: { place: 'Lisbon' }, error: { password: [expect.any(String)] } },
    message: null,
  });
  expect(text).not.toContain('"no"');
});

test('too many attempts are a 429 that says when to try again', async () => {
  const limited = { ok: false, reason: 'limited', retryAfterSeconds: 61 } as const;
  const response = await submit({ place: 'Lisbon', password: 'secret' }, limited);
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '61']);
  const { result } = (await response.json()) as FormReply;
  expect(result?.error).toMatchObject({ '': ['Try again in 2 min.'] });
});

test('a NUL, which PostgreSQL refuses, is a bad request and never reaches the work', async () => {
  const sent = submit({ place: 'a\0b', password: 'secret' }, { done: 'Moved.' });
  await expect(sent).rejects.toMatchObject({ status: 400 });
});
