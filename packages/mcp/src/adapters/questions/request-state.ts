/**
 * The state of a question, which the client holds until the answer: encrypted, bound to its call, short-lived and
 * single-use (MCP 2026-07-28, multi round-trip requests).
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  randomBytes,
  randomUUID,
} from 'node:crypto';
import { codes, ProtocolError } from '../protocol-error.ts';

/** The call that a state is bound to. It cannot be opened for any other. */
export interface Binding {
  readonly callerId: string;
  readonly method: string;
  readonly target: string;
  readonly args: unknown;
}

/** Returns true only for the first use of an id. The id can be forgotten after the given time. */
export type Once = (id: string, milliseconds: number) => boolean | Promise<boolean>;

export interface RequestStateOptions {
  /**
   * The first key seals; each of them opens. Without keys, a random key is used, which is valid in this process
   * only.
   */
  readonly keys?: readonly string[];
  /** Separates the derived keys of servers that share a secret. */
  readonly serverName: string;
  readonly lifetimeMs: number;
  readonly once?: Once;
}

interface Sealed {
  readonly id: string;
  /** Wall-clock time, because another process may open the state. */
  readonly expiresAt: number;
  readonly content: unknown;
}

const version = 'v1.';
const ivBytes = 12;
const tagBytes = 16;

export class RequestStates {
  readonly #keys: readonly [Buffer, ...Buffer[]];
  readonly #lifetimeMs: number;
  readonly #once: Once;

  constructor({ keys = [], serverName, lifetimeMs, once = onceInMemory() }: RequestStateOptions) {
    const derived = (secret: string | Buffer) =>
      Buffer.from(hkdfSync('sha256', secret, '', `${version}request state of ${serverName}`, 32));
    const [sealing = randomBytes(32), ...others] = keys;
    this.#keys = [derived(sealing), ...others.map(derived)];
    this.#lifetimeMs = lifetimeMs;
    this.#once = once;
  }

  seal(content: object, binding: Binding): string {
    const id = randomUUID();
    const sealed: Sealed = { id, expiresAt: Date.now() + this.#lifetimeMs, content };
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#keys[0], iv).setAAD(boundTo(binding));
    const text = Buffer.concat([cipher.update(JSON.stringify(sealed), 'utf8'), cipher.final()]);
    return version + Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
  }

  /**
   * @param read Reads the content. If it throws, the state stays usable, so that the client can correct its request.
   * @throws ProtocolError (-32602) for an invalid, expired or used state.
   */
  async open<Read>(
    state: unknown,
    binding: Binding,
    read: (content: unknown) => Read,
  ): Promise<Read> {
    const aad = boundTo(binding);
    const text = this.#keys
      .map((key) => opened(state, key, aad))
      .find((candidate) => candidate !== undefined);
    // Altered, or bound to another call: the authentication tag does not distinguish the two.
    if (text === undefined) throw refused('is not of this call');
    const { id, expiresAt, content } = JSON.parse(text) as Sealed;
    if (expiresAt <= Date.now()) throw refused('has expired');
    const given = read(content);
    if (!(await this.#once(id, this.#lifetimeMs))) throw refused('was used before');
    return given;
  }
}

function refused(why: string): ProtocolError {
  const message = `Invalid params: requestState ${why}. Call again without it.`;
  return new ProtocolError(codes.invalidParams, message);
}

function opened(state: unknown, key: Buffer, aad: Buffer): string | undefined {
  if (typeof state !== 'string' || !state.startsWith(version)) return undefined;
  const bytes = Buffer.from(state.slice(version.length), 'base64url');
  if (bytes.length <= ivBytes + tagBytes) return undefined;
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes))
      .setAAD(aad)
      .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
    const text = decipher.update(bytes.subarray(ivBytes + tagBytes));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function boundTo({ callerId, method, target, args }: Binding): Buffer {
  return Buffer.from(JSON.stringify([callerId, method, target, digestOf(args)]));
}

/** Returns a digest of JSON that does not depend on the order of fields. */
export function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(canonical(value ?? null))
    .digest('base64url');
}

/** For parsed JSON. The recursion is safe, because the message parser limits the nesting depth. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join()}}`;
}

/** Bounded by the number of questions asked, because only sealed ids are recorded. */
function onceInMemory(): Once {
  /** In order of expiry, because all entries have the same lifetime. */
  const seen = new Map<string, number>();
  return (id, milliseconds) => {
    const now = Date.now();
    for (const [old, expiresAt] of seen) {
      if (expiresAt > now) break;
      seen.delete(old);
    }
    if (seen.has(id)) return false;
    seen.set(id, now + milliseconds);
    return true;
  };
}
