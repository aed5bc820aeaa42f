/** Why the site downloads protected files with fetch: what a native download does in a frame, in every mode (W21). */
import { expect, test, type Framed } from '../../e2e/fixtures';
import {
  bytesOf,
  downloadButton,
  pictureOf,
  pictureShown,
  save,
} from '../../e2e/flows/studio/saved-picture';

test.use({ provokes: ['api_navigated'] });

test.beforeEach(({ platform }) => {
  platform.state.generations.setDuration(0);
});

test('a native download loses the session, and the download button keeps it [W21 W22]', async ({
  framed,
  signedIn,
  platform,
}) => {
  const picture = await pictureOf('ada', platform);
  await signedIn('ada', '/studio');
  await pictureShown(framed);

  platform.ledger.clear();
  const native = framed.page.waitForEvent('download');
  await downloadNatively(framed, picture.path);
  expect(await (await native).failure()).toBe('canceled');
  await expect
    .poll(() => platform.ledger.calls({ path: picture.path }))
    .toMatchObject([{ endpoint: 'user', persona: null, status: 401 }]);

  const saved = await save(framed.page, downloadButton(framed));
  expect(saved.name).toBe(`${picture.id}.png`);
  expect(saved.bytes.equals(picture.bytes)).toBe(true);
});

test('a native download can return another person’s data, and the download button cannot [W21 W22]', async ({
  framed,
  signedIn,
  platform,
  context,
}) => {
  const picture = await pictureOf('ada', platform);
  await signedIn('ada', '/studio');
  // The same browser opens the site in a separate tab, signed in as another person.
  const tab = await context.newPage();
  await tab.goto(platform.siteOrigin + platform.sessions.switchPath('bobby', '/'));
  await expect(tab.getByText('Welcome back, <b>Bobby</b>')).toBeVisible();

  const downloading = framed.page.waitForEvent('download');
  await downloadNatively(framed, '/api/user');
  const native = JSON.parse((await bytesOf(await downloading)).toString()) as { id: string };
  expect(native.id, 'the frame is Ada’s').toBe('usr_bobby');

  const inFrame = await (
    await framed.frame()
  ).evaluate(async () => {
    const response = await fetch('/api/user', { credentials: 'include' });
    return (await response.json()) as { id: string };
  });
  expect(inFrame.id).toBe('usr_ada');
  const saved = await save(framed.page, downloadButton(framed));
  expect(saved.bytes.equals(picture.bytes)).toBe(true);
});

/** Deliberately uses the anchor that a site must not use. */
async function downloadNatively(framed: Framed, path: string): Promise<void> {
  const frame = await framed.frame();
  await frame.evaluate((href) => {
    const anchor = document.createElement('a');
    Object.assign(anchor, { href, download: 'native' });
    document.body.append(anchor);
    anchor.click();
    anchor.remove();
  }, path);
}
