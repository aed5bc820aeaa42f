/** Whether a file's bytes, type and names agree (W27). What is unknown about a file agrees with everything. */
import { decoded, readBytes } from './files/bytes.ts';
import {
  isText,
  kindOfName,
  kindOfType,
  mayBe,
  mayBeBoth,
  text,
  type Bytes,
} from './files/kinds.ts';
import { nameIn, problemOfDisposition, problemOfName } from './files/names.ts';

export { nameIn };

export interface SavedFile {
  bytes: Buffer;
  /** The `content-type`; empty if there is none. */
  type: string;
  /** By what each name is called in the message. */
  names: Readonly<Record<string, string | null>>;
  /** The `content-disposition`, if there is one. */
  disposition?: string | undefined;
  /** The `content-encoding`, if the bytes are still encoded. */
  encoding?: string | undefined;
}

/** What is wrong, in words; null if nothing contradicts. */
export async function disagreementIn({
  bytes,
  type,
  names,
  disposition,
  encoding = 'identity',
}: SavedFile): Promise<string | null> {
  const named = Object.entries({
    'the name in `content-disposition`': nameIn(disposition),
    ...names,
  }).map(([whose, name]) => ({ by: `${whose} “${name ?? ''}”`, name: name ?? '' }));
  const claims = [
    { by: `the content type ${type}`, kind: kindOfType(type) },
    ...named.map(({ by, name }) => ({ by, kind: kindOfName(name) })),
  ].filter((claim): claim is Claim => claim.kind !== null);

  const content = decoded(bytes, encoding);
  if (content === 'undecodable') return `the bytes are not encoded as ${encoding}`;
  const found = content && content.length > 0 ? await readContent(content, type, claims) : null;
  const wrong = found && claims.find(({ kind }) => !mayBe(found, kind));
  if (wrong) return `${seen(found, wrong.kind)}, unlike ${wrong.by}`;

  for (const [index, { by, kind }] of claims.entries()) {
    const other = claims.slice(index + 1).find((claim) => !mayBeBoth(kind, claim.kind));
    if (other) return `${by} contradicts ${other.by}`;
  }
  const problem = disposition ? problemOfDisposition(disposition) : null;
  if (problem !== null) {
    return `the \`content-disposition\` “${disposition}” ${problem}, which browsers read in different ways`;
  }
  const badName = named.find(({ name }) => problemOfName(name) !== null);
  return badName ? `${badName.by} ${problemOfName(badName.name)}` : null;
}

interface Claim {
  by: string;
  kind: string;
}

/** A compressed SVG image has the content type of the image, and its bytes are those of gzip. */
async function readContent(bytes: Buffer, type: string, claims: readonly Claim[]): Promise<Bytes> {
  const found = await readBytes(bytes, type);
  const isImage = claims.some(({ kind }) => kind === 'svgz') && found.kinds.has('gzip');
  const image = isImage ? decoded(bytes, 'gzip') : null;
  if (!Buffer.isBuffer(image)) return found;
  const { kinds, words } = await readBytes(image, type);
  return { kinds: new Set([...found.kinds, ...kinds]), words };
}

function seen({ kinds: [kind] }: Bytes, claimed: string): string {
  const isKnown = kind !== undefined && !(kind === text && isText(claimed));
  return isKnown ? `the bytes look like ${kind}` : `the bytes are no ${claimed}`;
}
