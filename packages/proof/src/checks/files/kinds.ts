/** Kinds of files: which content types and extensions mean the same, and which bytes may be a file of a kind. */
import { supportedMimeTypes } from 'file-type';
import { Mime } from 'mime/lite';
import otherTypes from 'mime/types/other.js';
import standardTypes from 'mime/types/standard.js';

/** Any text; what it is in particular is unknown. */
export const text = 'text';

/**
 * Kinds with several types, and formats that are packed in another one, of which a detector may see only that one. A type
 * of the detector that is not listed is a kind of its own, and any other type says nothing.
 */
const kinds: readonly (readonly [kind: string, type: RegExp, packedIn?: readonly string[]])[] = [
  ['jpeg', /^image\/(jpe?g|pjpeg)$/],
  ['png', /^image\/((x-|vnd\.mozilla\.)?a?png)$/],
  ['heif', /^image\/heif(-sequence)?$/],
  ['heic', /^image\/heic(-sequence)?$/, ['heif']],
  ['avif', /^image\/avif(-sequence)?$/, ['heif']],
  ['bmp', /^image\/(x-)?(ms-)?bmp$/],
  ['icon', /^image\/(x-icon|vnd\.microsoft\.icon)$/],
  ['tiff', /^image\/(x-)?tiff$/],
  ['photoshop', /^(image\/vnd\.adobe\.|(image|application)\/(x-)?)photoshop$/],
  ['pdf', /^application\/(x-)?pdf$/],
  ['postscript', /^application\/(postscript|eps|x-eps)$|^image\/x-eps$/],
  ['rtf', /^(application|text)\/(x-)?rtf$/],
  ['ole', /^application\/(x-cfb|x-ole-storage)$/],
  ['doc', /^application\/msword$/, ['ole']],
  ['xls', /^application\/vnd\.ms-excel$/, ['ole']],
  ['ppt', /^application\/vnd\.ms-powerpoint$/, ['ole']],
  ['outlook', /^application\/vnd\.ms-outlook$/, ['ole']],
  ['visio', /^application\/vnd\.(visio|ms-visio.*)$/, ['ole', 'zip']],
  ['docx', /^application\/vnd\.openxmlformats.*wordprocessingml\.document$/, ['zip']],
  ['xlsx', /^application\/vnd\.openxmlformats.*spreadsheetml\.sheet$/, ['zip']],
  ['pptx', /^application\/vnd\.openxmlformats.*presentationml\.presentation$/, ['zip']],
  ['epub', /^application\/epub\+zip$/, ['zip']],
  ['zip', /^application\/(x-)?zip(-compressed)?$/],
  ['svgz', /^image\/svg\+xml\+gzip$/, ['gzip', 'svg']],
  ['gzip', /^application\/(x-)?gzip$/],
  ['bzip2', /^application\/(x-)?bzip2?$/],
  ['zstd', /^application\/(x-)?zstd$/],
  ['rar', /^application\/(vnd\.|x-)?rar(-compressed)?$/],
  ['tar', /^application\/(x-)?g?tar$/],
  ['sqlite', /^application\/(vnd\.|x-)sqlite3$/],
  [
    'exe',
    /^application\/(x-msdownload|x-dosexec|x-msdos-program|vnd\.microsoft\.portable-exec.*)$/,
  ],
  ['elf', /^application\/x-(elf|executable|sharedlib|pie-executable)$/],
  ['mp4', /^(video|audio|application)\/(mp4|x-m4[avpb]|m4[avpb]|x-f4v)$/],
  ['3gp', /^(video|audio)\/3gpp2?$/, ['mp4']],
  ['quicktime', /^video\/quicktime$/],
  ['webm', /^(video|audio)\/webm$/],
  ['matroska', /^(video|audio)\/(x-)?matroska$/],
  ['avi', /^video\/(vnd\.|x-)?(ms)?(avi|video)$/],
  ['mpeg', /^video\/(mpeg|mp[12][sp])$/],
  ['mp3', /^audio\/(x-)?(mpeg3?|mp3)$/],
  ['wav', /^audio\/(x-|vnd\.)?(pn-)?wave?$/],
  ['aiff', /^audio\/(x-)?aiff$/],
  ['ogg', /^(audio|video|application)\/(x-)?(ogg|opus)$/],
  ['flac', /^audio\/(x-)?flac$/],
  // Either may have outlines of either kind.
  ['ttf', /^(font|application)\/((x-)?(font-)?(ttf|otf|truetype|opentype|sfnt)|vnd\.ms-opentype)$/],
  ['woff', /^(font|application)\/(x-)?(font-)?woff$/],
  ['woff2', /^(font|application)\/(x-)?(font-)?woff2$/],
  ['json', /^application\/(json|manifest\+json)$|\+json$/],
  ['csv', /^(text|application)\/csv$/],
  ['tsv', /^text\/tab-separated-values$/],
  ['svg', /^image\/svg\+xml$/],
  ['html', /^text\/html$|^application\/xhtml\+xml$/],
  ['xml', /^(text|application)\/xml$|\+xml$/],
  ['javascript', /^(text|application)\/(x-)?(java|ecma)script$/],
  ['calendar', /^text\/calendar$/],
  ['vcard', /^text\/(x-)?(vcard|directory)$/],
  ['captions', /^text\/vtt$/],
  ['markdown', /^text\/(x-)?markdown$/],
  [
    text,
    /^text\/|^application\/(sql|toml|(x-)?yaml|x-sh|x-httpd-php|x-subrip|x-ndjson|jsonl|json5)$/,
  ],
];

/** The detector knows these by marks that not every such file has, or they have several meanings: they say nothing. */
const uncertain =
  /pgp|stl|diskimage|iccprofile|dicom|sketchup|blender|spss|asar|mobipocket|lzh|fbx|octet-stream/;

const detected = new Set(
  [...supportedMimeTypes].map((type) => type.toLowerCase()).filter((type) => !uncertain.test(type)),
);

const plainTexts = new Set([
  ...['json', 'csv', 'tsv', 'svg', 'svgz', 'html', 'xml', 'javascript', 'markdown', text],
]);

/** Texts that the detector recognises: a file of one of these begins as the detector expects. */
const markedTexts = new Set(['calendar', 'vcard', 'captions']);

/** How a text of some kinds begins, after white space. */
const beginnings: Readonly<Record<string, RegExp>> = {
  json: /^["{[\-\dtfn]/,
  svg: /^<(?!!doctype html|html)/i,
  svgz: /^<(?!!doctype html|html)/i,
  xml: /^<(?!!doctype html)/i,
  csv: /^(?!<(!doctype|html))/i,
  tsv: /^(?!<(!doctype|html))/i,
};

const types = new Mime(standardTypes, otherTypes);
// Extensions that the package does not know, or knows by another meaning.
types.define(
  {
    'text/plain': [
      'md',
      'log',
      'conf',
      'ini',
      'ts',
      'tsx',
      'rs',
      'jsonl',
      'ndjson',
      'bat',
      'cmd',
      'pls',
    ],
    'application/x-msdownload': ['exe', 'dll', 'scr', 'cpl'],
    'application/gzip': ['gz', 'tgz'],
    'application/x-sqlite3': ['sqlite', 'sqlite3'],
    'image/svg+xml+gzip': ['svgz'],
    'image/x-icon': ['ico', 'cur'],
    // They end domain names, or have several meanings.
    'application/octet-stream': ['com', 'ai', 'it', 'rm', 'mpc', 'mpp', 'org', 'pub', 'key'],
  },
  true,
);

/** Null for a type that is unknown here, and for one that says nothing. */
export function kindOfType(type: string): string | null {
  const plain = type.replace(/;.*/s, '').trim().toLowerCase();
  const kind = kinds.find(([, pattern]) => pattern.test(plain))?.[0];
  return kind ?? (detected.has(plain) ? plain : null);
}

/** The same by the extension of a name. */
export function kindOfName(name: string): string | null {
  const [, extension] = /\.([a-z\d]+)$/i.exec(name.trim()) ?? [];
  return extension === undefined ? null : kindOfType(types.getType(extension) ?? '');
}

/** Whether the kind is text, whatever its bytes are. */
export function isText(kind: string): boolean {
  return plainTexts.has(kind) || markedTexts.has(kind);
}

function packings(kind: string): readonly string[] {
  const zipped = /opendocument|openxmlformats|macroenabled|android|xpinstall|3mf|java-archive/;
  return kinds.find(([name]) => name === kind)?.[2] ?? (zipped.test(kind) ? ['zip'] : []);
}

export interface Bytes {
  /** Everything that the bytes may be; empty if nothing is known about them. */
  kinds: ReadonlySet<string>;
  /** Empty unless they are text. */
  words: string;
}

/** Whether the bytes may be a file of the kind. */
export function mayBe({ kinds: found, words }: Bytes, kind: string): boolean {
  return [...found].some(
    (candidate) =>
      candidate === kind ||
      isPacked(candidate, kind) ||
      (candidate === text && plainTexts.has(kind) && begins(words, kind)),
  );
}

function begins(words: string, kind: string): boolean {
  return beginnings[kind]?.test(words.trimStart()) ?? true;
}

/** One is packed in the other: a letter in a ZIP file, and a ZIP file that is a letter. */
function isPacked(kind: string, other: string): boolean {
  return packings(kind).includes(other) || packings(other).includes(kind);
}

/** Whether two claims may be about the same file. */
export function mayBeBoth(kind: string, other: string): boolean {
  if (kind === other || isPacked(kind, other)) return true;
  const pair = [kind, other];
  return (
    pair.every(isText) &&
    (pair.includes(text) ||
      (pair.includes('xml') && pair.some((candidate) => isXml.has(candidate))))
  );
}

const isXml = new Set(['svg', 'svgz', 'html']);
