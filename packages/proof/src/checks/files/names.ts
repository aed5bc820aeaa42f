/** What is wrong with the name of a file, whatever the file is. */
import contentDisposition from 'content-disposition';
import { isText, kindOfName, mayBeBoth, text } from './kinds.ts';

/** What systems run when somebody opens it. */
const programs = /^(exe|com|scr|bat|cmd|pif|cpl|msi|ps1|vbs|vbe|wsf|hta|lnk|dll|jar|apk|app)$/i;

/** What is added to the name of a file that is packed, encrypted or signed. */
const wrappers = /^(gz|bz2|xz|zst|lz4?|br|z|zip|7z|rar|tar|gpg|pgp|asc|sig|p7[ms])$/i;

/** A clause about the name; null if nothing is wrong with it. */
export function problemOfName(name: string): string | null {
  const file = name.slice(name.lastIndexOf('/') + 1);
  // The others override the direction of writing: such a name shows another extension than it has.
  if (/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(file)) return 'has characters that are not shown';
  const bare = withoutEnd(file);
  if (bare !== file && formatOf(bare) !== null) return 'has characters after its extension';

  const [, inner = '', outer = ''] = /\.([^.]+)\.([^.]+)$/.exec(file) ?? [];
  const before = formatOf(`.${withoutEnd(inner)}`);
  if (before === null || wrappers.test(outer)) return null;
  const last = /^(js|md)$/i.test(outer) ? text : formatOf(`.${outer}`);
  const differs = last !== null && !mayBeBoth(before, last) && !(isText(before) && isText(last));
  return differs || programs.test(outer) ? 'has the extensions of two formats' : null;
}

/** A clause about a `content-disposition` that browsers read in different ways; null if there is none. */
export function problemOfDisposition(disposition: string): string | null {
  const parameters = parametersOf(disposition);
  if (parameters === null) return 'is not valid';
  const { filename: plain, extended } = parameters;
  if (Object.keys(parameters).some((key) => /^filename\*\d/.test(key)))
    return 'has a name in parts';
  if (plain !== undefined && extended !== undefined && !isFallback(plain, extended)) {
    return 'has two names';
  }
  const name = extended ?? plain ?? '';
  if (/[/\\]/.test(name) || /\\[^"\\]/.test(disposition)) return 'has a name with a folder';
  if (extended !== undefined)
    return name.includes('\ufffd') ? 'has a name that is not UTF-8' : null;
  if (/%[\da-f]{2}|^=\?.*\?=$/i.test(name)) return 'has an encoded `filename`';
  const bytes = Buffer.from(name, 'latin1');
  const isUtf8 =
    bytes.toString('utf8') !== name && Buffer.from(bytes.toString('utf8')).equals(bytes);
  return isUtf8 ? 'has a `filename` in UTF-8' : null;
}

/** The file name in a `content-disposition`; null if there is none. */
export function nameIn(disposition: string | undefined): string | null {
  const parameters = parametersOf(disposition ?? '');
  return parameters?.['extended'] ?? parameters?.['filename'] ?? null;
}

/** `filename*` is called `extended`. Null if the header is not valid. */
function parametersOf(disposition: string): Partial<Record<string, string>> | null {
  // Every browser ignores a semicolon at the end.
  const header = disposition.replace(/;\s*$/, '');
  try {
    // The parser would merge the two.
    return contentDisposition.parse(header.replace(/;\s*filename\*(?=\s*=)/gi, '; extended*'))
      .parameters;
  } catch {
    return null;
  }
}

/** Whether `filename` is what a client shows that cannot read `filename*`: the same file in fewer characters. */
function isFallback(plain: string, extended: string): boolean {
  const extensionOf = (name: string) => /\.\w+$/.exec(name)?.[0].toLowerCase();
  const lettersOf = (name: string) => name.replaceAll(/%[\da-f]{2}|[^a-z\d]/gi, '').toLowerCase();
  if (extensionOf(plain) !== extensionOf(extended)) return false;
  return /[^ -~]/.test(extended) || lettersOf(plain) === lettersOf(extended);
}

function withoutEnd(name: string): string {
  return name.replace(/(%[\da-f]{2}|[^\p{L}\p{N}])+$/iu, '');
}

/** A format that the end of a name certainly means. “Node.js” and “J. C.” are ends of ordinary names. */
function formatOf(name: string): string | null {
  if (/\.txt$/i.test(name)) return text;
  const kind = kindOfName(name);
  return kind === text || kind === 'javascript' || kind === 'markdown' ? null : kind;
}
