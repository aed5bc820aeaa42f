/**
 * Hashes passwords with scrypt, with limited concurrency: scrypt runs on libuv's thread pool, which
 * also serves file reads and DNS lookups, and a burst of sign-ins would starve them. If the queue
 * is full, the caller is told to retry.
 */
import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { scryptCost } from '../costs.ts';

/** Concurrent hashes, out of libuv's four threads. */
const atOnce = 2;
/** Queue length: about ten seconds of work. */
const waitingAtMost = 50;

/** The queue is full. The request can be retried shortly. */
export class HashingBusy extends Error {
  override name = 'HashingBusy';
}

const queue = { running: 0, waiting: new Array<() => void>() };

const keyBytes = 32;
const saltBytes = 16;

/** @returns the hash with its salt and cost, in the PHC string format. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const { N, r, p } = scryptCost;
  const key = await derive(prepared(password), salt, scryptCost);
  return `$scrypt$ln=${Math.log2(N)},r=${r},p=${p}$${encoded(salt)}$${encoded(key)}`;
}

/**
 * Whether the password matches the hash. False for a hash in another format. Computes one hash, or
 * two for a password that earlier versions prepared otherwise.
 */
export async function verifyPassword(call: { hash: string; password: string }): Promise<boolean> {
  const found = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/.exec(
    call.hash,
  );
  if (!found) return false;
  const [, ln, r, p, salt = '', key = ''] = found;
  const cost = { N: 2 ** Number(ln), r: Number(r), p: Number(p) };
  const expected = Buffer.from(key, 'base64');
  for (const form of formsOf(call.password)) {
    const derived = await derive(form, Buffer.from(salt, 'base64'), cost);
    if (expected.length === derived.length && timingSafeEqual(expected, derived)) return true;
  }
  return false;
}

/**
 * What {@link verifyPassword} computes beyond a single hash. For an address without an account, the
 * library computes a single one, and the difference in time would reveal that.
 */
export async function hashOtherForms(password: string): Promise<void> {
  for (const form of formsOf(password).slice(1)) {
    await derive(form, randomBytes(saltBytes), scryptCost);
  }
}

/**
 * The same password can be typed in composed or decomposed Unicode, and with other spaces: RFC 8265,
 * OpaqueString.
 */
function prepared(password: string): string {
  return password.replaceAll(/\p{Zs}/gu, ' ').normalize('NFC');
}

/** The forms in which a password may have been hashed. Earlier versions used NFKC. */
function formsOf(password: string): string[] {
  return [...new Set([prepared(password), password.normalize('NFKC')])];
}

async function derive(password: string, salt: Buffer, cost: typeof scryptCost): Promise<Buffer> {
  await acquireSlot();
  try {
    // Twice the memory that scrypt needs, as in Node's own default.
    const options = { ...cost, maxmem: 256 * cost.N * cost.r };
    return await scryptOnThread(password, salt, options);
  } finally {
    // Passes the slot to the longest-waiting caller, or frees it.
    const next = queue.waiting.shift();
    if (next) next();
    else queue.running--;
  }
}

/** @throws {HashingBusy} */
async function acquireSlot(): Promise<void> {
  if (queue.running < atOnce) {
    queue.running++;
    return;
  }
  if (queue.waiting.length >= waitingAtMost) throw new HashingBusy('Too many passwords at once.');
  await new Promise<void>((resolve) => {
    queue.waiting.push(resolve);
  });
}

function scryptOnThread(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, keyBytes, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

function encoded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
