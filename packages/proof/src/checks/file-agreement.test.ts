/** Bytes, type and names of a file agree, or the disagreement is found (W27). */
import { gzipSync } from 'node:zlib';
import { downloadZip } from 'client-zip';
import { describe, expect, test } from 'vitest';
import { png } from '../crawl/fill-form';
import { disagreementIn, nameIn } from './file-agreement';

const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1]);
const gif = Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1');
const pdf = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n', 'latin1');
const zip = await zipOf({ 'notes/one.txt': 'Words' });
const types =
  '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const docx = await zipOf({ '[Content_Types].xml': types, 'word/document.xml': '<w/>' });
const epub = await zipOf({ mimetype: 'application/epub+zip', 'META-INF/container.xml': '<c/>' });
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

async function zipOf(files: Record<string, string>): Promise<Buffer> {
  const input = Object.entries(files).map(([name, content]) => ({ name, input: content }));
  return Buffer.from(await downloadZip(input).arrayBuffer());
}

const disagreement = (bytes: Buffer | string, type: string, ...names: (string | null)[]) =>
  disagreementIn({
    bytes: Buffer.from(bytes),
    type,
    names: { 'content-disposition': names[1] ?? null, 'the button’s name': names[0] ?? null },
  });

describe('agree', () => {
  test.each<[Buffer | string, string, ...(string | null)[]]>([
    [png, 'image/png', 'cover.png', 'cover.PNG'],
    [png, 'application/octet-stream', 'cover.png'],
    [png, '', 'cover'],
    [jpeg, 'image/jpeg', 'cover.jpg', 'cover.jpeg'],
    [gif, 'image/gif', 'cover.gif'],
    [pdf, 'application/pdf', 'invoice.pdf'],
    ['name,age\nAda,36\n', 'text/csv; charset=utf-8', 'people.csv'],
    ['\ufeffname;age\n', 'text/csv', 'people.csv'],
    ['name,age\n', 'text/plain', 'people.csv'],
    ['name\tage\n', 'text/tab-separated-values', 'people.tsv'],
    // The first two letters are those of a bitmap, of a program, of a tag.
    ['BMW,1\n', 'text/csv', 'cars.csv'],
    ['MZ,1\n', 'text/csv', 'initials.csv'],
    ['ID3,1\n', 'text/plain', 'tags.txt'],
    ['GIF,1\n', 'text/csv', 'formats.csv'],
    [Buffer.from('BM\xfcller,1\n', 'latin1'), 'text/csv', 'names.csv'],
    ['{"a":1}', 'application/json', 'data.json'],
    ['{"a":1}', 'application/geo+json', 'places.geojson'],
    ['{"a":1}\n{"a":2}\n', 'application/x-ndjson', 'data.ndjson'],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml', 'logo.svg'],
    ['<?xml version="1.0"?><svg xmlns="x"/>', 'image/svg+xml', 'logo.svg'],
    ['<?xml version="1.0"?><rss/>', 'application/rss+xml', 'feed.xml'],
    ['<!doctype html><p>Hi', 'text/html', 'page.html'],
    ['# Words', 'text/markdown', 'notes.md'],
    ['# Words', 'text/plain', 'notes.md'],
    ['const a: number = 1;', 'text/plain', 'a.ts'],
    ['BEGIN:VCALENDAR\n', 'text/calendar', 'dates.ics'],
    ['', 'image/png', 'empty.png'],
    [zip, 'application/zip', 'all.zip'],
    [zip, 'application/x-zip-compressed', 'all.zip'],
    [zip, word, 'letter.docx'],
    [docx, word, 'letter.docx'],
    [docx, 'application/zip', 'letter.docx'],
    [docx, 'application/octet-stream', 'letter.docx'],
    [epub, 'application/epub+zip', 'book.epub'],
    [zip, 'application/vnd.sketch', 'drawing.sketch'],
    [gzipSync('words'), 'application/gzip', 'words.csv.gz'],
    [Buffer.from([0, 1, 2, 3, 250, 251]), 'application/x-own', 'data.own'],
    [Buffer.from([0, 1, 2, 3, 250, 251]), 'application/octet-stream', 'data.bin'],
  ])('%#: %s as %s under %s', async (bytes, type, ...names) => {
    expect(await disagreement(bytes, type, ...names)).toBeNull();
  });
});

describe('disagree', () => {
  test.each<[string, Buffer | string, string, ...(string | null)[]]>([
    ['PNG as JPEG', png, 'image/jpeg', 'cover.jpg', 'cover.jpg'],
    ['a JPEG type for a PNG', png, 'image/jpeg', 'cover.png'],
    ['a PNG name for a JPEG', jpeg, 'image/jpeg', 'cover.png'],
    ['a PNG name in the header', jpeg, 'image/jpeg', 'cover.jpg', 'cover.png'],
    ['a PNG name for a JPEG of unknown type', jpeg, 'application/octet-stream', 'cover.png'],
    ['an error under a picture’s type', '{"error":"gone"}', 'image/png', 'cover.png'],
    ['text under a PDF’s name', 'Invoice 7', 'application/octet-stream', 'invoice.pdf'],
    ['a PDF under a text’s type', pdf, 'text/csv', 'invoice.csv'],
    ['a zip under a picture’s name', zip, 'application/zip', 'pictures.png'],
    ['a picture under a zip’s name', png, 'image/png', 'pictures.zip'],
    ['a letter under a book’s name', docx, word, 'letter.epub'],
    ['JSON under a table’s name', '[{"a":1}]', 'application/json', 'people.csv'],
    ['names that differ', '{"a":1}', '', 'people.csv', 'people.json'],
    ['unknown bytes under a picture’s type', Buffer.from([0, 1, 2, 250]), 'image/png', 'a.png'],
  ])('%s [W27]', async (_, bytes, type, ...names) => {
    expect(await disagreement(bytes, type, ...names)).toEqual(expect.any(String));
  });
});

test.each([
  ['attachment; filename="cover.jpg"', 'cover.jpg'],
  ["attachment; filename=x.png; filename*=UTF-8''%C3%BCber.jpg", 'über.jpg'],
  ['inline', null],
  ['attachment; filename=', null],
  [undefined, null],
])('the name in %j is %j', (disposition, name) => {
  expect(nameIn(disposition)).toBe(name);
});
