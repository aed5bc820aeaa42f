/**
 * Draws a picture from a prompt: always the same for the same prompt, and clearly different for
 * others.
 */
import { createHash } from 'node:crypto';

import { PNG } from 'pngjs';

export type AspectRatio = keyof typeof sizes;

/** In pixels. Each is cropped from the middle of a square one. */
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

const PICTURE_SIZE = 512;

/** About 25 MB of PNGs. */
const CACHED_PICTURES = 256;

type Colour = readonly [number, number, number];
type Random = () => number;

interface Canvas {
  /** Blends a colour over one pixel; `alpha` from 0 to 1. */
  blend(x: number, y: number, colour: Colour, alpha: number): void;
  /** Fills the canvas; `at` returns the colour for a pixel. */
  fill(at: (x: number, y: number) => Colour): void;
}

/** From distant and light to near and dark. */
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

  const random = randomFrom(prompt);
  const palette = shuffledEnds(choose(PALETTES, random).map(parseColour), random);
  const png = new PNG({ width: PICTURE_SIZE, height: PICTURE_SIZE, colorType: 2 });
  choose([drawRidges, drawOrbs, drawBands], random)(canvasOf(png), palette, random);

  const bytes = PNG.sync.write(cutTo(sizes[aspectRatio], png), {
    colorType: 2,
    inputHasAlpha: true,
    deflateLevel: 4,
  });
  cache.set(name, bytes);
  const [oldest] = cache.keys();
  if (cache.size > CACHED_PICTURES && oldest !== undefined) cache.delete(oldest);
  return bytes;
}

/** Crops the middle of a picture. */
function cutTo({ width, height }: { width: number; height: number }, whole: PNG): PNG {
  const left = (whole.width - width) / 2;
  const top = (whole.height - height) / 2;
  const part = new PNG({ width, height, colorType: 2 });
  PNG.bitblt(whole, part, left, top, width, height, 0, 0);
  return part;
}

/** Layered hills under a low sun. */
function drawRidges(canvas: Canvas, palette: Colour[], random: Random): void {
  const sky = between(palette[1], palette[2], random() * 0.6);
  canvas.fill((_x, y) => between(palette[0], sky, y / (PICTURE_SIZE * 0.8)));
  drawDisc(canvas, {
    x: PICTURE_SIZE * (0.2 + random() * 0.6),
    y: PICTURE_SIZE * (0.22 + random() * 0.25),
    radius: PICTURE_SIZE * (0.07 + random() * 0.08),
    core: lighten(palette[0], 0.7),
    rim: between(palette[1], palette[0], 0.5),
    alpha: 0.95,
    glow: 1.6,
  });

  const ridges = Array.from({ length: 6 }, (_, ridge) => {
    const depth = ridge / 5;
    const outline = waves(random, 5, 1 + depth);
    const base = PICTURE_SIZE * (0.46 + 0.44 * depth);
    const height = PICTURE_SIZE * (0.1 - 0.03 * depth);
    const near = ramp(palette, 0.3 + 0.7 * depth);
    return {
      near,
      mist: between(near, palette[1], 0.55 * (1 - depth)),
      crests: Float64Array.from({ length: PICTURE_SIZE }, (_unset, x) =>
        Math.max(0, base + height * outline(x / PICTURE_SIZE, 0)),
      ),
    };
  });
  for (const [index, { near, mist, crests }] of ridges.entries()) {
    const nearer = ridges.slice(index + 1);
    for (let x = 0; x < PICTURE_SIZE; x += 1) {
      const crest = crests[x] ?? 0;
      const top = Math.floor(crest);
      // Skip pixels that a nearer ridge will cover.
      const bottom = Math.min(PICTURE_SIZE, ...nearer.map((other) => (other.crests[x] ?? 0) + 1));
      if (top < PICTURE_SIZE) canvas.blend(x, top, near, 1 - (crest - top));
      for (let y = top + 1; y < bottom; y += 1) {
        canvas.blend(x, y, between(near, mist, (y - crest) / (PICTURE_SIZE * 0.3)), 1);
      }
    }
  }
}

/** Overlapping translucent discs. */
function drawOrbs(canvas: Canvas, palette: Colour[], random: Random): void {
  const [from, to] = [palette[5], between(palette[4], palette[3], 0.5)];
  const tilt = random();
  canvas.fill((x, y) => between(from, to, (x * tilt + y * (1 - tilt)) / PICTURE_SIZE));
  for (let orb = 0; orb < 11; orb += 1) {
    const core = choose(palette.slice(0, 4), random);
    drawDisc(canvas, {
      x: PICTURE_SIZE * random(),
      y: PICTURE_SIZE * random(),
      radius: PICTURE_SIZE * (0.05 + 0.24 * random() ** 1.6),
      core,
      rim: between(core, choose(palette.slice(1, 5), random), 0.85),
      alpha: 0.5 + 0.4 * random(),
      glow: 0.25,
    });
  }
}

/** Currents of colour with soft edges. */
function drawBands(canvas: Canvas, palette: Colour[], random: Random): void {
  const field = waves(random, 3, 0.8);
  const warp = waves(random, 2, 0.6);
  const bands = 12 + Math.floor(random() * 8);
  const height = sampled((u, v) => (0.5 + 0.4 * field(u + 0.3 * warp(v, u), v)) * bands);
  // Bands run through the palette and back, with one extra at each end.
  const shades = Array.from({ length: bands + 3 }, (_, band) =>
    ramp(palette, Math.abs((((band - 1) * 0.29) % 2) - 1)),
  );
  canvas.fill((x, y) => {
    const level = height(x, y);
    const step = Math.floor(level);
    const colour = between(shades[step], shades[step + 1], (level - step) * 10);
    return lighten(colour, 0.14 * (1 - (level - step)));
  });
}

/** Speeds up a slow field: samples every fourth pixel, and interpolates linearly. */
function sampled(field: (u: number, v: number) => number): (x: number, y: number) => number {
  const cell = 4;
  const side = PICTURE_SIZE / cell + 1;
  const grid = Float64Array.from({ length: side * side }, (_, index) =>
    field((index % side) / (side - 1), Math.floor(index / side) / (side - 1)),
  );
  return (x, y) => {
    const [column, row] = [Math.floor(x / cell), Math.floor(y / cell)];
    const [right, down] = [x / cell - column, y / cell - row];
    const at = row * side + column;
    const top = (grid[at] ?? 0) * (1 - right) + (grid[at + 1] ?? 0) * right;
    const bottom = (grid[at + side] ?? 0) * (1 - right) + (grid[at + side + 1] ?? 0) * right;
    return top * (1 - down) + bottom * down;
  };
}

interface Disc {
  x: number;
  y: number;
  radius: number;
  core: Colour;
  rim: Colour;
  alpha: number;
  /** How far the light extends beyond the edge, in radii. */
  glow: number;
}

function drawDisc(canvas: Canvas, { x, y, radius, core, rim, alpha, glow }: Disc): void {
  const reach = radius * (1 + glow);
  const [left, right] = [Math.max(0, x - reach), Math.min(PICTURE_SIZE - 1, x + reach)];
  const [top, bottom] = [Math.max(0, y - reach), Math.min(PICTURE_SIZE - 1, y + reach)];
  for (let py = Math.floor(top); py <= bottom; py += 1) {
    for (let px = Math.floor(left); px <= right; px += 1) {
      const distance = Math.hypot(px - x, py - y);
      if (distance >= reach) continue;
      const inside = Math.min(1, Math.max(0, (radius - distance) / 2 + 0.5));
      const halo = 0.4 * (1 - Math.max(0, distance - radius) / (radius * glow)) ** 2;
      const lit = Math.hypot(px - x + radius * 0.3, py - y + radius * 0.35) / (radius * 1.5);
      canvas.blend(px, py, between(core, rim, lit), alpha * Math.max(inside, halo));
    }
  }
}

/** A smooth field between about -1 and 1, a sum of a few sine waves. */
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

function canvasOf(png: PNG): Canvas {
  const { data } = png;
  return {
    blend(x, y, colour, alpha) {
      const at = (y * PICTURE_SIZE + x) * 4;
      for (let channel = 0; channel < 3; channel += 1) {
        const under = data[at + channel] ?? 0;
        data[at + channel] = under + ((colour[channel] ?? 0) - under) * alpha;
      }
    },
    fill(at) {
      for (let y = 0; y < PICTURE_SIZE; y += 1) {
        for (let x = 0; x < PICTURE_SIZE; x += 1) {
          const offset = (y * PICTURE_SIZE + x) * 4;
          const colour = at(x, y);
          data[offset] = colour[0];
          data[offset + 1] = colour[1];
          data[offset + 2] = colour[2];
          data[offset + 3] = 255;
        }
      }
    },
  };
}

function between(from: Colour | undefined, to: Colour | undefined, share: number): Colour {
  const [a, b] = [from ?? [0, 0, 0], to ?? [0, 0, 0]];
  const t = share < 0 ? 0 : share > 1 ? 1 : share;
  return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
}

function lighten(colour: Colour | undefined, share: number): Colour {
  return between(colour, [255, 255, 255], share);
}

/** The palette as a continuous gradient; `share` from 0 to 1. */
function ramp(palette: readonly Colour[], share: number): Colour {
  const place = Math.min(1, Math.max(0, share)) * (palette.length - 1);
  const index = Math.floor(place);
  return between(palette[index], palette[index + 1] ?? palette[index], place - index);
}

/** Sometimes swaps the two middle colours, for more variety than eight palettes. */
function shuffledEnds(palette: Colour[], random: Random): Colour[] {
  const [a, b, c, d, e, f] = palette;
  if (random() < 0.5 || !a || !b || !c || !d || !e || !f) return palette;
  return [a, c, b, d, e, f];
}

function parseColour(hex: string): Colour {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function choose<T>(from: readonly T[], random: Random): T {
  const chosen = from[Math.floor(random() * from.length)];
  if (chosen === undefined) throw new Error('Nothing to choose from.');
  return chosen;
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
