/**
 * Elements that browser extensions and translators insert into a page before it is hydrated, and what a visitor has typed by
 * then.
 */
import { expect, test } from '../../e2e/fixtures';
import { main } from '../../e2e/flows/accounts/person';

const insertions: [where: string, insert: () => void][] = [
  [
    'a <div> after the password field',
    () => document.querySelector('input[type=password]')?.after(document.createElement('div')),
  ],
  [
    'a <div> first in <body>',
    () => {
      document.body.prepend(document.createElement('div'));
    },
  ],
  [
    'a <style> in <head>',
    () => {
      document.head.prepend(document.createElement('style'));
    },
  ],
  [
    'fields of its own',
    () => {
      const field = Object.assign(document.createElement('input'), { value: 'foreign' });
      document.querySelector('input[type=email]')?.before(field, field.cloneNode());
    },
  ],
];

for (const [where, insert] of insertions) {
  test(
    `what was typed before hydration stays after another program inserted ${where}`,
    { tag: '@one-mode' },
    async ({ framed, page, platform, browserLog }) => {
      browserLog.allow(/Minified React error #(418|423|425)/);
      // An extension's style is exempt from the policy, unlike this test's.
      browserLog.allow(/style-src/);
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.route(/\/assets\/entry\.client-.*\.js$/, async (route) => {
        await released;
        await route.continue();
      });
      await (
        await framed.frame()
      ).goto(`${platform.siteOrigin}/sign-in?return=%2F`, { waitUntil: 'commit' });
      const email = main(framed).getByLabel('E-mail');
      const password = main(framed).getByLabel('Password');
      await email.fill('ada@site.example');
      await password.fill('a long pass phrase');
      await password.evaluate((field: HTMLInputElement) => {
        field.setSelectionRange(2, 6);
      });
      const before = await password.elementHandle();
      await (await framed.frame()).evaluate(insert);
      release();
      await framed.hydrated();

      await expect(email).toHaveValue('ada@site.example');
      await expect(password).toHaveValue('a long pass phrase');
      await expect(password).toBeFocused();
      const selection = await password.evaluate((field: HTMLInputElement) => [
        field.selectionStart,
        field.selectionEnd,
      ]);
      expect(selection).toEqual([2, 6]);
      const isReplaced = await before.evaluate((field) => !field.isConnected);
      expect(isReplaced, 'control: the document was rendered anew').toBe(true);
      await expect(main(framed).locator('input[name=return]')).toHaveValue('/');
    },
  );
}
