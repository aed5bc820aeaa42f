/** Drawing pictures. */
import { PNG } from 'pngjs';
import { describe, expect, it } from 'vitest';

import { drawPicture, sizeOf } from './picture.ts';

describe('pictures', () => {
  it('are the same for the same prompt and different for others', () => {
    const prompts = ['a red fox', 'a red box', 'harbour', 'x', '<b>', '日本'];
    const pictures = prompts.map((prompt) => drawPicture(prompt));
    expect(drawPicture('a red fox').equals(pictures[0] ?? Buffer.alloc(0))).toBe(true);
    expect(new Set(pictures.map((bytes) => bytes.toString('base64'))).size).toBe(prompts.length);
    for (const bytes of pictures) {
      expect(PNG.sync.read(bytes)).toMatchObject({ width: 512, height: 512 });
    }
  });

  it('have the size that their format promises', () => {
    for (const aspectRatio of ['16:9', '3:4'] as const) {
      const { width, height } = PNG.sync.read(drawPicture('a red fox', aspectRatio));
      expect({ width, height }).toEqual(sizeOf(aspectRatio));
    }
  });
});
