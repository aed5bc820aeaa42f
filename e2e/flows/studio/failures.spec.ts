/** Every failure of an order, each with a message at its cause. */
import { expect, test } from '../../fixtures';

const files = [
  {
    name: 'note.png',
    words: 'Just words.',
    message: 'The platform does not accept this type of file. Accepted: PNG, JPG, WEBP, MP4.',
  },
  { name: 'empty.png', words: '', message: 'This file is empty.' },
] as const;

test('each failure is explained, keeps what was typed, and costs nothing [W11 W18 W20 W33]', async ({
  framed,
  signedIn,
  platform,
  browserLog,
}) => {
  browserLog.allow(/status of (402|409|415|422|429|502)/);
  await signedIn('ada', '/studio');
  const { site } = framed;
  const prompt = site.getByRole('textbox', { name: 'What do you want to see?' });
  const generate = site.getByRole('button', { name: /^Generate/ });
  const alert = site.getByRole('alert');

  for (const { name, words, message } of files) {
    const buffer = Buffer.from(words);
    const input = site.getByLabel('Reference files');
    await expect(input).toBeEnabled();
    await input.setInputFiles({ name, mimeType: 'image/png', buffer });
    await expect(site.getByText(message)).toBeVisible();
    await expect(generate).toBeDisabled();
    await site.getByRole('button', { name: `Remove ${name}` }).click();
  }

  for (const [words, message] of [
    ['Refuse please', 'The platform does not allow this prompt.'],
    ['Hurry please', 'Too many requests.'],
  ] as const) {
    await prompt.fill(words);
    await generate.click();
    await expect(alert).toContainText(message);
    await expect(prompt).toHaveValue(words);
  }
  await platform.faults.set('submit', { kind: 'reset' });
  await prompt.fill('Words that must stay');
  await generate.click();
  await expect(alert).toContainText('The platform is not responding.');
  await expect(prompt).toHaveValue('Words that must stay');
  await platform.faults.clear();

  // Failed generations show why, refund their credits, and can be retried.
  platform.clock.freeze();
  for (const words of ['Fail please', 'Refuse later please', 'Time out please']) {
    await prompt.fill(words);
    await generate.click();
    await expect(prompt).toHaveValue('');
  }
  platform.clock.advance(10_000);
  const card = (words: string) => site.getByRole('listitem').filter({ hasText: words });
  await expect(card('Fail please').getByText(/Something went wrong/)).toBeVisible();
  await expect(card('Refuse later please').getByText(/Try a different one/)).toBeVisible();
  await expect(card('Time out please').getByText(/This took too long/)).toBeVisible();
  await expect(site.getByRole('button', { name: 'Generate · 1 credit' })).toBeEnabled();
  await expect(site.getByText('You have 120 credits.')).toBeVisible();
  await card('Time out please').getByRole('button', { name: 'Try again' }).click();
  await expect(card('Time out please').getByText('Waiting')).toBeVisible();
});

test(
  'missing credits are shown before submitting',
  { tag: ['@long', '@one-mode'] },
  async ({ framed, signedIn }) => {
    await signedIn('zoe', '/studio');
    const { site } = framed;
    await site.getByRole('textbox').fill('A kite');
    await expect(site.getByText('This costs 1 credit, and you have 0.')).toBeVisible();
    await expect(site.getByRole('button', { name: /^Generate/ })).toBeDisabled();
  },
);

test(
  'credits that ran out after the estimate are refused by the server, and the page shows the new balance [W19 W33]',
  { tag: ['@long', '@one-mode'] },
  async ({ framed, signedIn, platform, browserLog }) => {
    browserLog.allow(/status of 402/);
    await signedIn('bobby', '/studio');
    const { site } = framed;
    const prompt = site.getByRole('textbox');
    const generate = site.getByRole('button', { name: 'Generate · 1 credit' });
    await prompt.fill('A kite');
    await expect(site.getByText('You have 12 credits.')).toBeVisible();

    const { credits, workspaces } = platform.state;
    const persona = platform.personas.find(({ id }) => id === 'bobby');
    const workspace = persona && workspaces.acting(persona, null);
    if (!workspace) throw new Error('Bobby has no workspace.');
    credits.book(
      { persona, workspace },
      { change: -12, reason: 'generation', generation: 'elsewhere' },
    );
    await generate.click();
    await expect(site.getByRole('alert')).toHaveText('You do not have enough credits for this.');
    await expect(site.getByText('This costs 1 credit, and you have 0.')).toBeVisible();
    await expect(site.getByRole('banner').getByText('0 credits')).toBeVisible();
    await expect(prompt).toHaveValue('A kite');
    await expect(generate).toBeDisabled();
    expect(platform.ledger.calls({ endpoint: 'submit' })).toHaveLength(1);
  },
);

test(
  'a viewer whose script a deploy has replaced says to reload',
  { tag: ['@long', '@one-mode'] },
  async ({ framed, signedIn, platform, browserLog }) => {
    browserLog.allow(/Failed to load resource/);
    platform.state.generations.setDuration(0);
    await signedIn('ada', '/studio');
    const { site, page } = framed;
    await site.getByRole('textbox', { name: 'What do you want to see?' }).fill('A red kite');
    await site.getByRole('button', { name: /^Generate/ }).click();
    const view = site.getByRole('button', { name: 'View', exact: true });
    await page.route(/lightbox/, (route) => route.fulfill({ status: 404 }));
    await view.click();
    await expect(site.getByText('Reload the page and try again.')).toBeVisible();
    await expect(site.getByRole('dialog')).toBeHidden();

    await page.unroute(/lightbox/);
    await framed.open('/studio');
    await view.click();
    await expect(site.getByRole('dialog', { name: 'A red kite' })).toBeVisible();
  },
);
