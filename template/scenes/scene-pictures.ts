/** Each scene on a desktop and a phone, light and dark, as one picture: `docs/pictures/states/<scene>.jpg`. */
import { mkdir } from 'node:fs/promises';
import { siteSettings, test, type Framed } from '../../e2e/fixtures';
import { startSite } from '@gatehouse/simulator/programs';
import { accountScenes } from './account-scenes';
import { notesScenes } from './notes-scenes';
import { provoked, type Scene } from './scene';
import { siteScenes } from './site-scenes';
import { studioScenes } from './studio-scenes';

const folder = 'docs/pictures/states';
const desktop = { width: 1_280, height: 860 };
const phone = { width: 390, height: 860 };

for (const { name, show, inView } of [
  ...siteScenes,
  ...studioScenes,
  ...accountScenes,
  ...notesScenes,
]) {
  test(name, async ({ framed, platform, signedIn, browserLog }) => {
    browserLog.allow(provoked);
    await framed.page.setViewportSize(desktop);
    await show({ framed, platform, signedIn });
    await take(name, framed, inView);
  });
}

test('studio, the offline demo', async ({ framed, platform, stack }, { title }) => {
  const demo = await startSite({
    ...siteSettings(platform),
    preload: false,
    env: { OFFLINE_DEMO: '1', PLATFORM_INTERNAL_URL: '' },
  });
  platform.setSiteUpstream(demo.url);
  try {
    await framed.page.setViewportSize(desktop);
    await framed.open('/studio');
    await framed.hydrated();
    await take(title, framed);
  } finally {
    platform.setSiteUpstream(stack.site.url);
    await demo.stop();
  }
});

async function take(name: string, framed: Framed, inView?: Scene['inView']): Promise<void> {
  const { page } = framed;
  await fillWindow(framed);
  const shots: Buffer[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const viewport of [desktop, phone]) {
      await page.setViewportSize(viewport);
      await inView?.(framed.site).scrollIntoViewIfNeeded();
      await drawn(framed, viewport.width);
      shots.push(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
    }
  }
  await mkdir(folder, { recursive: true });
  const sheet = await page.context().newPage();
  await sheet.setContent(sheetOf(shots));
  const file = name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').toLowerCase();
  await sheet
    .locator('body')
    .screenshot({ path: `${folder}/${file}.jpg`, type: 'jpeg', quality: 80 });
}

/** Without the platform's own page around it. */
async function fillWindow({ page }: Framed): Promise<void> {
  await page.locator('iframe[src]').evaluate((frame) => {
    frame.style.cssText = 'position:fixed;inset:0;width:100vw;height:100vh;z-index:9;border:0';
  });
}

/** Waits until the frame, which is another process, has taken its new width, and its pictures are there. */
async function drawn(framed: Framed, width: number): Promise<void> {
  const frame = await framed.frame();
  await frame.waitForFunction((wanted) => window.innerWidth === wanted, width);
  await frame.evaluate(async () => {
    const isInView = (picture: HTMLImageElement) =>
      picture.getBoundingClientRect().top < window.innerHeight;
    const pictures = [...document.images].filter(isInView);
    await Promise.all(pictures.map((picture) => picture.decode().catch(() => undefined)));
    for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
  });
}

function sheetOf(shots: readonly Buffer[]): string {
  const pictures = shots.map(
    (shot) => `<img height="560" src="data:image/png;base64,${shot.toString('base64')}">`,
  );
  return `<body style="margin:0;padding:8px;display:inline-flex;gap:8px;background:#888">${pictures.join('')}</body>`;
}
