/** Phrases in a prompt that make the platform refuse the order, or its generation fail or be slow. */
import { crc32 } from 'node:zlib';

/** An order with these words is refused. */
const refusals = {
  'refuse please': [422, 'prompt_refused', 'This prompt breaks our rules.'],
  'hurry please': [429, 'rate_limited', 'Not so fast.'],
} as const;

/** A generation with these words fails after this share of its duration. */
const failures = {
  'fail please': { share: 0.6, code: 'provider_failed' },
  'refuse later please': { share: 0.3, code: 'content_policy' },
  'time out please': { share: 1, code: 'timed_out' },
  'surprise please': { share: 0.5, code: 'e4711_canary' },
} as const;

export type Refusal = (typeof refusals)[keyof typeof refusals];
export type Failure = (typeof failures)[keyof typeof failures];

export const refusalOf = (prompt: string): Refusal | null => found(refusals, prompt);

export const failureOf = (prompt: string): Failure | null => found(failures, prompt);

/** Whether its picture is slow to load. */
export const isHeavy = (prompt: string): boolean => prompt.toLowerCase().includes('heavy please');

/** Extra bytes of such a picture. */
const ballast = 8_000_000;

/** The end of every PNG: an empty chunk. */
const endLength = 12;

/**
 * Adds a chunk that PNG readers skip (PNG specification, section 5.4: ancillary, private, safe to
 * copy).
 */
export function makeHeavy(png: Buffer): Buffer {
  const chunk = Buffer.alloc(ballast + 12);
  chunk.writeUInt32BE(ballast, 0);
  chunk.write('baLt', 4, 'latin1');
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return Buffer.concat([png.subarray(0, -endLength), chunk, png.subarray(-endLength)]);
}

function found<T>(phrases: Readonly<Record<string, T>>, prompt: string): T | null {
  const words = prompt.toLowerCase();
  const match = Object.entries(phrases).find(([phrase]) => words.includes(phrase));
  return match ? match[1] : null;
}
