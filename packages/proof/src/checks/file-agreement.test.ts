/** Bytes, type and names of a file agree, or the disagreement is found (W27). */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { downloadZip } from 'client-zip';
import { describe, expect, test } from 'vitest';
import { png } from '../crawl/fill-form.ts';
import { disagreementIn } from './file-agreement.ts';

const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1]);
const gif = Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1');
const pdf = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n', 'latin1');
const zip = await zipOf({ 'notes/one.txt': 'Words' });
const types =
  '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const docx = await zipOf({ '[Content_Types].xml': types, 'word/document.xml': '<w/>' });
const epub = await zipOf({ mimetype: 'application/epub+zip', 'META-INF/container.xml': '<c/>' });
const exe = Buffer.from('MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0', 'latin1');
const elf = Buffer.from('\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x3e\0', 'latin1');
const wasm = Buffer.from('\0asm\x01\0\0\0', 'latin1');
const bmp = Buffer.from('BM\x1e\0\0\0\0\0\0\0\x1a\0\0\0\x0c\0\0\0', 'latin1');
/** Little-endian, with one empty directory. */
const tiff = Buffer.from('II*\0\x08\0\0\0\0\0\0\0\0\0', 'latin1');
/** The directory is behind the bytes that the proof keeps of a file. */
const longTiff = Buffer.from('II*\0\0\0\x10\0\x01\x02\x03\x04', 'latin1');
const ogg = Buffer.concat([
  Buffer.from('OggS\0\x02', 'latin1'),
  Buffer.alloc(22),
  Buffer.from('\x01vorbis\0\0\0\0\x01', 'latin1'),
]);
const mp3 = Buffer.concat([
  Buffer.from('ID3\x04\0\0\0\0\0\0\xff\xfb\x90\x64', 'latin1'),
  Buffer.alloc(32),
]);
const mp4 = Buffer.from('\0\0\0\x14ftypisom\0\0\x02\0isom', 'latin1');
const m4a = Buffer.from('\0\0\0\x14ftypM4A \0\0\x02\0isom', 'latin1');
const mov = Buffer.from('\0\0\0\x14ftypqt  \0\0\x02\0qt  ', 'latin1');
const mp4Segment = Buffer.from('\0\0\0\x10stypmsdh\0\0\0\0', 'latin1');
const webm = Buffer.from('\x1a\x45\xdf\xa3\x87\x42\x82\x84webm', 'latin1');
const matroska = Buffer.from('\x1a\x45\xdf\xa3\x8b\x42\x82\x88matroska', 'latin1');
const compound = Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0\0\0\0\0\0\0', 'latin1');
const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const svgz = gzipSync(svg);
const utf16 = Buffer.from('\ufeffname\tage\nAda\t36\n', 'utf16le');
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

type File = [bytes: Buffer | string, type: string, ...names: (string | null)[]];

describe('agree', () => {
  const files: File[] = [
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
    // An image that is compressed once, and as it is after its content coding is removed.
    [svgz, 'image/svg+xml', 'logo.svgz'],
    [svgz, 'application/gzip', 'logo.svgz'],
    [svg, 'image/svg+xml', 'logo.svgz', 'logo.svgz'],
    ['%PDF is how such a file begins', 'text/plain', 'formats.txt'],
    ['%PDF-1.7 is how such a file begins\n', 'text/markdown', 'formats.md'],
    ['%PDF-1.7\n1 0 obj\n<<>>\nendobj\n', 'application/pdf', 'invoice.pdf'],
    [utf16, 'text/csv; charset=utf-16le', 'people.csv'],
    [utf16, 'text/tab-separated-values', 'people.tsv'],
    [Buffer.from('name\nAda\n', 'utf16le'), 'text/csv; charset=utf-16le', 'people.csv'],
    [Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67]), 'text/csv; charset=shift_jis', 'a.csv'],
    ['name,age\n', 'text/csv; charset=no-such-charset', 'people.csv'],
    ['BEGIN:VCALENDAR\n', 'text/plain', 'dates.ics'],
    ['BEGIN:VCARD\n', 'text/vcard', 'ada.vcf'],
    ['BEGIN:VCARD\n', 'text/x-vcard', 'ada.vcf'],
    ['\r\nbegin:vcard\r\n', 'text/vcard', 'ada.vcf'],
    ['[playlist]\n', 'audio/x-scpls', 'songs.pls'],
    ['WEBVTT\n\n', 'text/vtt', 'captions.vtt'],
    ['{\\rtf1 Words}', 'application/rtf', 'letter.rtf'],
    ['%!PS-Adobe-3.0 EPSF-3.0\n', 'application/postscript', 'figure.eps'],
    ['1\n00:00:01,000 --> 00:00:02,000\nWords\n', 'application/x-subrip', 'captions.srt'],
    ['a: 1\n', 'application/yaml', 'settings.yaml'],
    ['\n[1]\n', 'application/json', 'data.json'],
    ['\ufeff{"a":1}', 'application/json', 'data.json'],
    ['"text"', 'application/json'],
    ['<!-- A logo --><svg/>', 'image/svg+xml', 'logo.svg'],
    ['<h1>Hi</h1>', 'text/html; charset=utf-8', 'page.html'],
    ['<b>Words</b>', 'text/markdown', 'notes.md'],
    [bmp, 'image/x-ms-bmp', 'scan.bmp'],
    [tiff, 'image/tiff', 'scan.tif', 'scan.tiff'],
    [longTiff, 'image/tiff', 'scan.tif'],
    [ogg, 'audio/ogg', 'song.ogg', 'song.oga'],
    [mp3, 'audio/mpeg', 'song.mp3'],
    [mp3, 'audio/mp3', 'song.mp3'],
    [mp4, 'video/mp4', 'clip.mp4'],
    [mp4, 'audio/mp4', 'song.m4a'],
    [m4a, 'audio/mp4', 'song.m4a'],
    [m4a, 'audio/x-m4a', 'song.m4a'],
    [mov, 'video/quicktime', 'clip.mov'],
    [mp4Segment, 'video/mp4', 'clip.mp4'],
    [webm, 'video/webm', 'clip.webm'],
    [webm, 'audio/webm; codecs=opus', 'talk.webm'],
    [matroska, 'video/x-matroska', 'clip.mkv'],
    [compound, 'application/msword', 'letter.doc'],
    [compound, 'application/vnd.ms-excel', 'sheet.xls'],
    [compound, 'application/vnd.ms-outlook', 'mail.msg'],
    [gzipSync('words'), 'application/x-gzip', 'all.tar.gz', 'all.tgz'],
    [exe, 'application/x-msdownload', 'setup.exe'],
    [exe, 'application/vnd.microsoft.portable-executable', 'setup.exe'],
    [exe, 'application/octet-stream', 'setup.exe'],
    [elf, 'application/octet-stream', 'tool-linux-x64'],
    [wasm, 'application/wasm', 'module.wasm'],
    // The beginning of a Targa image is like that of a cursor.
    [Buffer.from([0, 0, 2, 0, 0, 0, 0, 0, 0, 0]), 'image/x-tga', 'scan.tga'],
    ['name,age\n', 'text/csv', 'people.v1.2.csv'],
    ['{"version":3}', 'application/json', 'app.js.map'],
    ['a();', 'text/javascript', 'app.min.js'],
    ['# Words', 'text/markdown', 'page.html.md'],
    [pdf, 'application/pdf', 'Notes on Node.js.pdf'],
    [pdf, 'application/pdf', 'Letter to J. C.pdf'],
    ['{"a":1}', 'application/json', '/api/domains/www.example.com'],
    ['{"a":1}', 'application/json', '/api/domains/example.it'],
    [png, 'image/png', '/api/pictures/a.png/'],
    [pdf, 'application/pdf', '\u0641\u0627\u062a\u0648\u0631\u0629.pdf'],
    [png, 'image/png', '👩‍🚀 in space.png'],
  ];
  test.each(
    files.map(([bytes, type, ...names]) => ({ bytes, type, names, title: names.join(' and ') })),
  )('%#: $type under $title', async ({ bytes, type, names }) => {
    expect(await disagreement(bytes, type, ...names)).toBeNull();
  });
});

describe('disagree', () => {
  test.each<[title: string, ...File]>([
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
    ...(
      [
        ['audio/mpeg', 'a.mp3'],
        ['audio/ogg', 'a.ogg'],
        ['audio/wav', 'a.wav'],
        ['audio/flac', 'a.flac'],
        ['audio/mp4', 'a.m4a'],
        ['video/mp4', 'a.mp4'],
        ['video/webm', 'a.webm'],
        ['video/x-msvideo', 'a.avi'],
        ['image/bmp', 'a.bmp'],
        ['image/tiff', 'a.tif'],
        ['image/x-icon', 'a.ico'],
        ['image/vnd.microsoft.icon', 'a.ico'],
        ['image/avif', 'a.avif'],
        ['image/heic', 'a.heic'],
        ['image/jxl', 'a.jxl'],
        ['image/vnd.adobe.photoshop', 'a.psd'],
        ['font/woff2', 'a.woff2'],
        ['font/ttf', 'a.ttf'],
        ['application/font-woff', 'a.woff'],
        ['application/x-tar', 'a.tar'],
        ['application/x-7z-compressed', 'a.7z'],
        ['application/vnd.rar', 'a.rar'],
        ['application/x-xz', 'a.xz'],
        ['application/x-bzip2', 'a.bz2'],
        ['application/msword', 'a.doc'],
        ['application/vnd.ms-excel', 'a.xls'],
        ['application/vnd.ms-powerpoint', 'a.ppt'],
        ['application/rtf', 'a.rtf'],
        ['application/pdf', 'a.pdf'],
        ['application/wasm', 'a.wasm'],
        ['application/x-sqlite3', 'a.sqlite'],
        ['application/x-shockwave-flash', 'a.swf'],
        ['model/gltf-binary', 'a.glb'],
        ['text/calendar', 'a.ics'],
        ['text/vcard', 'a.vcf'],
      ] as const
    ).flatMap(([type, name]): [title: string, ...File][] => [
      [`text as ${type}`, 'Words', type],
      [`text under ${name}`, 'Words', 'application/octet-stream', name],
    ]),
    ['silence as MP3', Buffer.alloc(64), 'audio/mpeg', 'a.mp3'],
    ['unknown bytes as MP4', Buffer.alloc(64), 'video/mp4', 'a.mp4'],
    ['a program as a table', exe, 'text/csv', 'people.csv'],
    ['a program as text', exe, 'text/plain'],
    ['a program under a text’s name', exe, 'application/octet-stream', 'readme.txt'],
    ['a Linux program as JSON', elf, 'application/json', 'data.json'],
    ['a Linux program under a letter’s name', elf, 'application/octet-stream', 'letter.docx'],
    ['WebAssembly as a picture', wasm, 'image/png', 'a.png'],
    ['WebAssembly as a script', wasm, 'text/javascript', 'a.js'],
    ['a program under a picture’s name and its own', exe, 'application/octet-stream', 'a.png.exe'],
    ['a picture under a program’s name', png, 'image/png', 'setup.exe'],
    ['Ogg as MP3', ogg, 'audio/mpeg', 'song.mp3'],
    ['MP3 as Ogg', mp3, 'audio/ogg', 'song.ogg'],
    ['BMP as TIFF', bmp, 'image/tiff', 'scan.tif'],
    ['TIFF as BMP', tiff, 'image/bmp', 'scan.bmp'],
    ['QuickTime as MP4', mov, 'video/mp4', 'clip.mp4'],
    ['Matroska as WebM', matroska, 'video/webm', 'clip.webm'],
    ['types that differ like their names', ogg, 'audio/ogg', 'song.ogg', 'song.mp3'],
    ['NUL bytes as JSON', Buffer.alloc(8), 'application/json', 'data.json'],
    ['NUL bytes as SVG', Buffer.alloc(8), 'image/svg+xml', 'logo.svg'],
    ['NUL bytes as text', Buffer.alloc(8), 'text/plain', 'notes.txt'],
    ['NUL bytes as a table', Buffer.alloc(8), 'text/csv'],
    ['a NUL byte in a table', 'name\0age\n', 'text/csv', 'people.csv'],
    ['NUL bytes under a table’s name', Buffer.alloc(8), 'application/octet-stream', 'people.csv'],
    ['text as JSON', 'Words', 'application/json', 'data.json'],
    ['a page as JSON', '<!doctype html><p>Hi', 'application/json', 'data.json'],
    ['a page as an SVG image', '<!doctype html><p>Hi', 'image/svg+xml', 'logo.svg'],
    ['a page as a table', '<!DOCTYPE html><p>Hi', 'text/csv', 'people.csv'],
    ['JSON as an SVG image', '{"error":"gone"}', 'image/svg+xml', 'logo.svg'],
    ['JSON as XML', '{"error":"gone"}', 'application/xml', 'feed.xml'],
    ['gzip as an SVG image', svgz, 'image/svg+xml', 'logo.svg'],
    ['text in a compressed SVG image', gzipSync('Words'), 'image/svg+xml', 'logo.svgz'],
    ['text as a compressed SVG image', 'Words', 'image/svg+xml', 'logo.svgz'],
    ['a plain PDF as a table', '%PDF-1.7\n1 0 obj\n<<>>\nendobj\n', 'text/csv', 'invoice.csv'],
    ['a point at the end', jpeg, 'image/jpeg', 'a.jpg.'],
    ['a space at the end', jpeg, 'image/jpeg', 'a.jpg '],
    ['an escaped space at the end', jpeg, 'image/jpeg', 'a.jpg%20'],
    ['points and spaces at the end', jpeg, 'image/jpeg', 'a.jpg . .'],
    ['a quote at the end', png, 'image/png', "a.png'"],
    ['an escaped space in an address', jpeg, 'image/jpeg', '/api/pictures/a.jpg%20'],
    ['a page behind a picture’s name', '<p>Hi</p>', 'text/html', 'a.png.html'],
    ['a script behind an invoice’s name', 'a();', 'text/javascript', 'invoice.pdf.js'],
    ['a picture behind a letter’s name', png, 'image/png', 'letter.docx.png'],
    ['a script behind a text’s name', 'start', 'application/octet-stream', 'notes.txt.bat'],
    ['a program far behind a letter’s name', exe, '', 'letter.pdf          .exe'],
    ['a NUL between two extensions', png, 'image/png', 'page.html%00.png'],
    ['a name that is shown backwards', png, 'image/png', 'photo\u202egpj.png'],
    ['a line break in a name', png, 'image/png', 'a\nb.png'],
  ])('%s [W27]', async (_, bytes, type, ...names) => {
    expect(await disagreement(bytes, type, ...names)).toEqual(expect.any(String));
  });
});

describe('with a content-encoding', () => {
  const encoded = (bytes: Buffer, encoding: string, name = 'logo.svg') =>
    disagreementIn({ bytes, type: 'image/svg+xml', names: { 'the name': name }, encoding });

  test.each<[bytes: Buffer, encoding: string, name?: string]>([
    [Buffer.from(svg), 'identity'],
    [svgz, 'gzip'],
    [svgz, 'x-gzip', 'logo.svgz'],
    [svgz.subarray(0, -4), 'gzip'],
    [deflateSync(svg), 'deflate'],
    [brotliCompressSync(svg), 'br'],
    [Buffer.from([1, 2, 3]), 'of-its-own'],
    [Buffer.alloc(0), 'gzip'],
  ])('%#: what is decoded agrees', async (bytes, encoding, name) => {
    expect(await encoded(bytes, encoding, name)).toBeNull();
  });

  test.each<[title: string, bytes: Buffer, encoding: string, name?: string]>([
    ['a picture that is encoded', gzipSync(png), 'gzip'],
    ['bytes that are not encoded', Buffer.from(svg), 'gzip'],
    ['bytes that are encoded otherwise', svgz, 'br'],
    ['a name that contradicts the type', Buffer.from([1, 2, 3]), 'of-its-own', 'logo.png'],
  ])('%s [W27]', async (_, bytes, encoding, name) => {
    expect(await encoded(bytes, encoding, name)).toEqual(expect.any(String));
  });
});
