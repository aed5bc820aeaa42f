/** A `content-disposition` that browsers read in different ways is found (W27). */
import contentDisposition from 'content-disposition';
import { expect, test } from 'vitest';
import { png } from '../crawl/fill-form.ts';
import { disagreementIn, nameIn } from './file-agreement.ts';

test.each([
  ['attachment; filename="cover.jpg"', 'cover.jpg'],
  ["attachment; filename=x.png; filename*=UTF-8''%C3%BCber.jpg", 'über.jpg'],
  ['inline', null],
  ['attachment; filename=', null],
  [undefined, null],
])('the name in %j is %j', (disposition, name) => {
  expect(nameIn(disposition)).toBe(name);
});

const withHeader = (disposition: string) =>
  disagreementIn({ bytes: png, type: 'image/png', names: {}, disposition });

test.each([
  'inline',
  'attachment',
  'attachment; filename=cover.png',
  'attachment; filename="cover.png"',
  'attachment; filename="cover.png";',
  'ATTACHMENT; FILENAME="cover.png"',
  'attachment;filename = "my cover; 1.png"',
  String.raw`attachment; filename="the \"cover\".png"`,
  "attachment; filename*=UTF-8''%C3%BCber.png",
  `attachment; filename="?ber.png"; filename*=UTF-8''%C3%BCber.png`,
  `attachment; filename*=UTF-8''%C3%BCber.png; filename="download.png"`,
  `attachment; filename="my_cover.png"; filename*=UTF-8''my%20cover.png`,
  `attachment; filename="my%20cover.png"; filename*=UTF-8''my%20cover.png`,
  ...['cover.png', 'über.png', '100%25.png', 'a "b" c.png', '日本.png', 'a; b.png'].map((name) =>
    contentDisposition(name),
  ),
])('every browser reads %j alike', async (disposition) => {
  expect(await withHeader(disposition)).toBeNull();
});

test.each([
  ['a space without quotes', 'attachment; filename=my cover.png'],
  ['a missing quote at the end', 'attachment; filename="cover.png'],
  ['a missing quote at the beginning', 'attachment; filename=cover.png"'],
  ['single quotes', "attachment; filename='cover.png'"],
  ['a quote in the name', 'attachment; filename="the "cover".png"'],
  ['a semicolon without quotes', 'attachment; filename=a;b.png'],
  ['two names', 'attachment; filename="cover.png"; filename="other.png"'],
  ['two extended names', "attachment; filename*=UTF-8''a.png; filename*=UTF-8''b.png"],
  ['two headers', 'attachment; filename="cover.png", attachment; filename="other.png"'],
  ['no disposition', 'filename="cover.png"'],
  ['no semicolon', 'attachment filename="cover.png"'],
  ['a name in parts', 'attachment; filename*0="cov"; filename*1="er.png"'],
  ['an extended name in quotes', `attachment; filename*="UTF-8''cover.png"`],
  ['an extended name without its encoding', 'attachment; filename*=cover.png'],
  ['an extended name that is not UTF-8', "attachment; filename*=UTF-8''%FCber.png"],
  ['another extension', `attachment; filename="cover.jpg"; filename*=UTF-8''cover.png`],
  ['another name', `attachment; filename="invoice.png"; filename*=UTF-8''cover.png`],
  ['escapes', 'attachment; filename="my%20cover.png"'],
  ['an escape at the end', 'attachment; filename="cover.png%20"'],
  ['an encoded word', 'attachment; filename="=?UTF-8?Q?cover.png?="'],
  ['raw UTF-8', `attachment; filename="${Buffer.from('über.png').toString('latin1')}"`],
  ['a folder', 'attachment; filename="covers/cover.png"'],
  ['a folder of Windows', String.raw`attachment; filename="covers\\cover.png"`],
  ['an upper folder of Windows', String.raw`attachment; filename="..\cover.png"`],
  ['a space at the end', 'attachment; filename="cover.png "'],
])('%s in content-disposition: browsers differ [W27]', async (_, disposition) => {
  expect(await withHeader(disposition)).toEqual(expect.any(String));
});
