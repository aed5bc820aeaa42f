import { expect, test } from 'vitest';
import { audio, file, image, sizeOfMedia } from './media.ts';

const bytes = new Uint8Array([1, 2, 3]);

test('an image and a sound have a MIME type of their kind, without parameters', () => {
  expect(image(bytes, 'Image/PNG; charset=binary')).toMatchObject({ mimeType: 'image/png' });
  expect(audio(bytes, 'audio/wav')).toMatchObject({ type: 'audio', mimeType: 'audio/wav' });
});

test.each(['text/html', '', 'images/png', 'audio/wav'])(
  'a response of type %j is not an image [M33]',
  (type) => {
    expect(() => image(bytes, type)).toThrow(
      expect.objectContaining({ name: 'UpstreamResponseError' }),
    );
  },
);

test('the size is counted in bytes', () => {
  const media = [
    image(bytes, 'image/png'),
    file('a:b', 'text/csv', 'a,€'),
    file('a:c', 'a/b', bytes),
  ];
  expect(sizeOfMedia(media)).toBe(11);
});
