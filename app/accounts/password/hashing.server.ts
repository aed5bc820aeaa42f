/**
 * Hashes passwords by scrypt, a few at a time. Node hashes on the threads that also read files and look names up:
 * without a bound, a burst of sign-ins would leave none for pages. Whoever finds the queue full is told to try again.
 */
import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { scryptCost } from './cost.server';

/** Of libuv's four threads. */
const atOnce = 2;
/** About ten seconds of work. */
const waitingAtMost = 50;

/** The queue is full: the request can be made again in a moment. */
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
  const key = await derive(password, salt, scryptCost);
  return `$scrypt$ln=${Math.log2(N)},r=${r},p=${p}$${encoded(salt)}$${encoded(key)}`;
}

/** Whether a password has this hash. False for a hash that was not made here. */
export async function verifyPassword(call: { hash: string; password: string }): Promise<boolean> {
  const found = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/.exec(
    call.hash,
  );
  if (!found) return false;
  const [, ln, r, p, salt = '', key = ''] = found;
  const cost = { N: 2 ** Number(ln), r: Number(r), p: Number(p) };
  const expected = Buffer.from(key, 'base64');
  const derived = await derive(call.password, Buffer.from(salt, 'base64'), cost);
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}

async function derive(password: string, salt: Buffer, cost: typeof scryptCost): Promise<Buffer> {
  await turn();
  try {
    // Twice what it needs, which is Node's own rule for its default.
    const options = { ...cost, maxmem: 256 * cost.N * cost.r };
    // The same password can be typed in two ways, composed and not.
    return await scryptOnThread(password.normalize('NFKC'), salt, options);
  } finally {
    // The place goes to whoever waits longest, or is free.
    const next = queue.waiting.shift();
    if (next) next();
    else queue.running--;
  }
}

/** @throws {HashingBusy} */
async function turn(): Promise<void> {
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
