/** The offline demo's adapter (W31): one visitor's pictures, in memory, and no call to anyone. */
import { createHash, randomUUID } from 'node:crypto';
import { PNG } from 'pngjs';
import { identifyUpload } from './media-type.server';
import { uploadMaxBytes, type Generation } from './sdk';
import { PlatformSdkError, type PlatformSdk } from './port.server';

interface Stored {
  id: string;
  prompt: string;
  createdAt: number;
  /** Drawn when it is first asked for: that takes thirty milliseconds. */
  png?: Uint8Array<ArrayBuffer>;
}

const drawingTime = 3_000;
/** The newest are kept. A drawn one takes 80 KiB, so all of them take 8 MiB. */
const capacity = 100;
const side = 512;

const stored: Stored[] = [];

export function createMemorySdk(): PlatformSdk {
  const find = (id: string): Stored => {
    const generation = stored.find((one) => one.id === id);
    if (!generation) throw new PlatformSdkError(404, 'not_found');
    return generation;
  };
  return {
    submitGeneration({ prompt }) {
      const generation = { id: `demo_${randomUUID()}`, prompt, createdAt: Date.now() };
      stored.unshift(generation);
      stored.length = Math.min(stored.length, capacity);
      return Promise.resolve(toGeneration(generation));
    },
    async getGeneration(id) {
      return Promise.resolve(toGeneration(find(id)));
    },
    async listGenerations({ cursor } = {}) {
      // All are on one page, so no cursor was ever given out.
      if (cursor) throw new PlatformSdkError(422, 'invalid_cursor');
      return Promise.resolve({ items: stored.map(toGeneration), nextCursor: null });
    },
    async readOutput(id, extension) {
      const own = find(id);
      const { output } = toGeneration(own);
      if (extension !== 'png') throw new PlatformSdkError(404, 'not_found');
      if (!output) throw new PlatformSdkError(409, 'not_ready');
      own.png ??= Uint8Array.from(draw(own.prompt));
      return Promise.resolve({
        status: 200,
        body: new Blob([own.png]).stream(),
        contentType: 'image/png',
        filename: output.filename,
        headers: { 'content-length': String(own.png.length) },
      });
    },
    // The demo shows no upload, so the file is only measured.
    async uploadMedia(file) {
      const { contentType, stream } = await identifyUpload(file);
      let bytes = 0;
      await stream.pipeTo(
        new WritableStream({
          write(chunk) {
            bytes += chunk.length;
            if (bytes > uploadMaxBytes) throw new PlatformSdkError(413, 'body_too_large');
          },
        }),
      );
      return { id: `demo_${randomUUID()}`, contentType, bytes };
    },
  };
}

function toGeneration({ id, prompt, createdAt }: Readonly<Stored>): Generation {
  const progress = Math.min(1, (Date.now() - createdAt) / drawingTime);
  const done = progress === 1;
  return {
    id,
    prompt,
    status: done ? 'succeeded' : 'running',
    progress,
    createdAt: new Date(createdAt).toISOString(),
    output: done
      ? {
          url: `/api/generations/${id}/output.png`,
          filename: `${id}.png`,
          width: side,
          height: side,
        }
      : null,
  };
}

/** A soft two-colour wash. The colours and their direction come from the prompt. */
function draw(prompt: string): Buffer {
  const seed = createHash('sha256').update(prompt).digest();
  const at = (index: number) => seed[index] ?? 0;
  const angle = (at(6) / 255) * Math.PI;
  const png = new PNG({ width: side, height: side });
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const along = ((x - side / 2) * Math.cos(angle) + (y - side / 2) * Math.sin(angle)) / side;
      const mix = 0.5 + Math.sin(along * (2 + at(7) / 64)) / 2;
      const offset = (y * side + x) * 4;
      for (let channel = 0; channel < 3; channel++) {
        png.data[offset + channel] = at(channel) * mix + at(channel + 3) * (1 - mix);
      }
      png.data[offset + 3] = 255;
    }
  }
  return PNG.sync.write(png);
}
