/** Whether a file's bytes, type and names agree (W27). What is unknown about a file agrees with everything. */
import contentDisposition from 'content-disposition';
import { fileTypeFromBuffer } from 'file-type';
import mime from 'mime';

export interface SavedFile {
  bytes: Buffer;
  /** The `content-type`; empty if there is none. */
  type: string;
  /** By what each name is called in the message. */
  names: Readonly<Record<string, string | null>>;
}

/** What two of them say, in words; null if nothing contradicts. */
export async function disagreementIn({ bytes, type, names }: SavedFile): Promise<string | null> {
  const claims = [
    { by: `the content type ${type}`, kind: kindOf(type) },
    ...Object.entries(names).map(([whose, name]) => ({
      by: `${whose} “${name ?? ''}”`,
      kind: kindOfName(name ?? ''),
    })),
  ].filter((claim): claim is Claim => claim.kind !== null);

  const found = await detect(bytes);
  for (const { by, kind } of bytes.length > 0 ? claims : []) {
    if (found === null && marked.has(kind)) return `the bytes are no ${kind} file, unlike ${by}`;
    if (found !== null && !isContained(found, kind)) {
      return `the bytes are ${found === text ? 'text' : `a ${found} file`}, unlike ${by}`;
    }
  }
  for (const [index, { by, kind }] of claims.entries()) {
    const other = claims.slice(index + 1).find((claim) => !mayBeBoth(kind, claim.kind));
    if (other) return `${by} contradicts ${other.by}`;
  }
  return null;
}

/** The file name in a `content-disposition`; null if there is none. */
export function nameIn(disposition: string | undefined): string | null {
  if (!disposition) return null;
  try {
    return contentDisposition.parse(disposition).parameters['filename'] ?? null;
  } catch {
    return null;
  }
}

interface Claim {
  by: string;
  kind: string;
}

const text = 'text';

/** Kinds of files by their types, where one kind has several types, or types that differ in detail only. */
const kinds: readonly (readonly [kind: string, types: RegExp])[] = [
  ['jpeg', /^image\/(jpe?g|pjpeg|jpx?)$/],
  ['png', /^image\/(a|x-|vnd\.mozilla\.a)?png$/],
  ['gif', /^image\/gif$/],
  ['webp', /^image\/webp$/],
  ['avif', /^image\/(avif|hei[cf])(-sequence)?$/],
  ['bmp', /^image\/(x-)?(ms-)?bmp$/],
  ['icon', /^image\/(x-icon|vnd\.microsoft\.icon)$/],
  ['tiff', /^image\/(tiff|x-(canon|nikon|sony|adobe|olympus|panasonic).*)$/],
  ['pdf', /^application\/(x-)?(pdf|illustrator|vnd\.adobe\.illustrator)$/],
  ['docx', /wordprocessingml|vnd\.ms-word\..*macroenabled/],
  ['xlsx', /spreadsheetml|vnd\.ms-excel\..*macroenabled/],
  ['pptx', /presentationml|vnd\.ms-powerpoint\..*macroenabled/],
  ['epub', /^application\/epub\+zip$/],
  ['odt', /opendocument\.text/],
  ['ods', /opendocument\.spreadsheet/],
  ['odp', /opendocument\.presentation/],
  ['zip', /^application\/(x-)?zip(-compressed)?$/],
  ['gzip', /^application\/(x-)?gzip$/],
  ['mp4', /^(video|audio)\/(mp4|x-m4[av]|m4[av]|quicktime|3gpp2?)$/],
  ['webm', /^(video|audio)\/(webm|(x-)?matroska)$/],
  ['mp3', /^audio\/(mpeg|mp3|x-mpeg|x-mp3)$/],
  ['wav', /^audio\/(x-|vnd\.)?wave?$/],
  ['ogg', /^(audio|video|application)\/(ogg|opus|x-ogg)(;.*)?$/],
  ['flac', /^audio\/(x-)?flac$/],
  ['json', /^application\/(json|manifest\+json)$|\+json$/],
  ['csv', /^text\/(csv|tab-separated-values)$|^application\/csv$/],
  ['svg', /^image\/svg\+xml$/],
  ['html', /^text\/html$|^application\/xhtml\+xml$/],
  ['xml', /^(text|application)\/xml$|\+xml$/],
  ['javascript', /^(text|application)\/(x-)?(java|ecma)script$/],
  ['calendar', /^text\/(calendar|vcard|x-vcard)$/],
  ['markdown', /^text\/(x-)?markdown$/],
  // It may be any text.
  [text, /^text\//],
];

const textKinds = new Set(
  ['json', 'csv', 'svg', 'html', 'xml', 'javascript', 'calendar', 'markdown'].concat(text),
);

/** Zip files with a certain content: a program may have packed them so that only the zip is recognised. */
const zipped = new Set(['docx', 'xlsx', 'pptx', 'epub', 'odt', 'ods', 'odp']);

/** A file of one of these kinds always begins with bytes that the detector knows. */
const marked = new Set(['jpeg', 'png', 'gif', 'webp', 'zip', 'gzip', ...zipped]);

/** Bytes of another kind cannot be one of these. */
const recognised = new Set([...marked, 'avif', 'pdf', 'mp4', 'webm', 'wav', 'flac']);

/** Null for a type that is unknown here, and for one that says nothing. */
function kindOf(type: string): string | null {
  const plain = type.replace(/;.*/s, '').trim().toLowerCase();
  return kinds.find(([, types]) => types.test(plain))?.[0] ?? null;
}

function kindOfName(name: string): string | null {
  const [, extension = ''] = /\.([a-z\d]+)$/i.exec(name.trim()) ?? [];
  // `mime` has other meanings for these, which are rare.
  const plain = /^(md|log|conf|ini|ts|tsx)$/i.test(extension) ? 'txt' : extension;
  return kindOf(mime.getType(plain) ?? '');
}

/** The kind of the bytes; null if nothing is known about it. */
async function detect(bytes: Buffer): Promise<string | null> {
  // First, since a text may begin with letters that a detector takes for the mark of a format, such as “BM”.
  const isText = looksLikeText(bytes);
  const found = await fileTypeFromBuffer(bytes);
  const kind = found ? (kindOf(found.mime) ?? found.ext) : null;
  if (isText && kind !== 'pdf') return text;
  return kind === text ? null : kind;
}

/** Whether the bytes are UTF-8 without control characters. */
function looksLikeText(bytes: Buffer): boolean {
  try {
    // The end may be in the middle of a character.
    const decoded = new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, 65_536), {
      stream: true,
    });
    // eslint-disable-next-line no-control-regex -- looks for them
    return !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(decoded);
  } catch {
    return false;
  }
}

/** Whether bytes of the kind `found` may be a file of the kind `claimed`. */
function isContained(found: string, claimed: string): boolean {
  if (found === claimed) return true;
  if (textKinds.has(found)) return textKinds.has(claimed) || !recognised.has(claimed);
  if (found === 'zip') return zipped.has(claimed);
  if (zipped.has(found) && claimed === 'zip') return true;
  // A detector may know more formats than there are kinds here, and a container may have any content.
  if (!recognised.has(found)) return !recognised.has(claimed);
  return false;
}

/** Whether two claims may be about the same file. */
function mayBeBoth(kind: string, other: string): boolean {
  if (kind === other) return true;
  if (textKinds.has(kind) && textKinds.has(other))
    return [kind, other].includes(text) || isXml(kind, other);
  return [kind, other].includes('zip') && (zipped.has(kind) || zipped.has(other));
}

function isXml(kind: string, other: string): boolean {
  return [kind, other].includes('xml') && /^(svg|html)$/.test(kind === 'xml' ? other : kind);
}
