/**
 * Draws a picture from a prompt, currents of colour with soft edges: always the same for the same prompt, and clearly
 * different for others.
 */
import { createHash } from 'node:crypto';

import { PNG } from 'pngjs';

export type AspectRatio = keyof typeof sizes;

/** In pixels. Each is the upper left part of the square one. */
const sizes = {
  '1:1': { width: 512, height: 512 },
  '4:3': { width: 512, height: 384 },
  '3:4': { width: 384, height: 512 },
  '16:9': { width: 512, height: 288 },
  '9:16': { width: 288, height: 512 },
} as const;

export const sizeOf = (aspectRatio: AspectRatio): { width: number; height: number } =>
  sizes[aspectRatio];

export const isAspectRatio = (value: unknown): value is AspectRatio =>
  typeof value === 'string' && Object.hasOwn(sizes, value);

/** About 25 MB of PNGs. */
const CACHED_PICTURES = 128;

type Colour = readonly [number, number, number];
type Random = () => number;

/** From light to dark. */
const PALETTES: readonly (readonly string[])[] = [
  ['#fef3c7', '#fdba74', '#fb7185', '#a21caf', '#4c1d95', '#1e1b4b'],
  ['#ecfeff', '#a5f3fc', '#38bdf8', '#2563eb', '#1e3a8a', '#0b1437'],
  ['#f7fee7', '#bef264', '#4ade80', '#0d9488', '#115e59', '#042f2e'],
  ['#fff1f2', '#fecdd3', '#fda4af', '#e11d48', '#881337', '#2b0a16'],
  ['#fffbeb', '#fde68a', '#f59e0b', '#c2410c', '#7c2d12', '#2a120a'],
  ['#f5f3ff', '#c4b5fd', '#8b5cf6', '#db2777', '#831843', '#240a2a'],
  ['#f0fdfa', '#99f6e4', '#f0abfc', '#a78bfa', '#3730a3', '#111034'],
  ['#fafaf9', '#d6d3d1', '#f97316', '#78716c', '#292524', '#0c0a09'],
];

const cache = new Map<string, Buffer>();

/**
 * A prompt's picture as PNG bytes. Blocks the event loop for up to a tenth of a second the first
 * time.
 */
export function drawPicture(prompt: string, aspectRatio: AspectRatio = '1:1'): Buffer {
  const name = `${aspectRatio} ${prompt}`;
  const known = cache.get(name);
  if (known) return known;

  const { width, height } = sizes[aspectRatio];
  const colourAt = currents(randomFrom(prompt));
  const png = new PNG({ width, height });
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      png.data.set([...colourAt(x / 512, y / 512), 255], (y * width + x) * 4);
    }
  }

  const bytes = PNG.sync.write(png, { colorType: 2, inputHasAlpha: true, deflateLevel: 4 });
  cache.set(name, bytes);
  const [oldest] = cache.keys();
  if (cache.size > CACHED_PICTURES && oldest !== undefined) cache.delete(oldest);
  return bytes;
}

/** The colour at each place, whose coordinates are from 0 to 1. */
function currents(random: Random): (u: number, v: number) => Colour {
  const palette = PALETTES[Math.floor(random() * PALETTES.length)] ?? [];
  const colours = palette.map(parseColour);
  const field = waves(random, 3, 0.8);
  const warp = waves(random, 2, 0.6);
  const bands = 12 + Math.floor(random() * 8);
  // Bands run through the palette and back, with one extra at each end.
  const shades = Array.from({ length: bands + 3 }, (_, band) =>
    ramp(colours, Math.abs((((band - 1) * 0.29) % 2) - 1)),
  );
  return (u, v) => {
    const level = (0.5 + 0.4 * field(u + 0.3 * warp(v, u), v)) * bands;
    const step = Math.floor(level);
    const colour = between(shades[step], shades[step + 1], (level - step) * 10);
    return between(colour, [255, 255, 255], 0.14 * (1 - (level - step)));
  };
}

/** A smooth field between -1 and 1, a sum of a few sine waves. */
function waves(random: Random, count: number, pitch: number): (u: number, v: number) => number {
  const parts = Array.from({ length: count }, (_, index) => ({
    u: (random() * 2 - 0.4) * pitch * 4 * (1 + index * 0.7),
    v: (random() * 2 - 1) * pitch * 4 * (1 + index * 0.4),
    phase: random() * Math.PI * 2,
    size: 1 / (1 + index * 0.8),
  }));
  const total = parts.reduce((sum, part) => sum + part.size, 0);
  return (u, v) => {
    let sum = 0;
    for (const part of parts) sum += part.size * Math.sin(u * part.u + v * part.v + part.phase);
    return sum / total;
  };
}

function between(from: Colour = [0, 0, 0], to: Colour = [0, 0, 0], share: number): Colour {
  const t = share < 0 ? 0 : share > 1 ? 1 : share;
  return [
    from[0] + (to[0] - from[0]) * t,
    from[1] + (to[1] - from[1]) * t,
    from[2] + (to[2] - from[2]) * t,
  ];
}

/** The palette as a continuous gradient; `share` from 0 to 1. */
function ramp(palette: readonly Colour[], share: number): Colour {
  const place = share * (palette.length - 1);
  const index = Math.floor(place);
  return between(palette[index], palette[index + 1] ?? palette[index], place - index);
}

function parseColour(hex: string): Colour {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** mulberry32, seeded by the text's hash. */
function randomFrom(text: string): Random {
  let state = createHash('sha256').update(text).digest().readUInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
