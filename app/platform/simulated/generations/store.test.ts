/** When pictures are drawn: drawing blocks the simulator, so it must be rare. */
import { beforeEach, expect, it, vi } from 'vitest';

import { createClock } from '@gatehouse/simulator/operations';
import { createState } from './store';
import { drawPicture } from '@gatehouse/simulator/samples';

vi.mock('@gatehouse/simulator/samples', () => ({
  sizeOf: () => ({ width: 512, height: 512 }),
  drawPicture: vi.fn((prompt: string) => Buffer.from(prompt)),
}));

beforeEach(() => {
  vi.mocked(drawPicture).mockClear();
});

it('draws nothing when a hundred pictures are ordered or listed', () => {
  const generations = createState({ clock: createClock() });
  generations.setDuration(0);
  for (let index = 0; index < 100; index += 1) generations.submit('ada', `Picture ${index}`);
  const page = generations.list('ada', {
    workspace: 'wsp_ada',
    limit: '100',
    cursor: null,
    kind: null,
    status: null,
  });
  expect(page?.items).toHaveLength(100);
  expect(page?.items[0]?.output).toEqual({ content_type: 'image/png', width: 512, height: 512 });
  expect(drawPicture).not.toHaveBeenCalled();
});

it('draws a picture when its size or bytes are requested', () => {
  const generations = createState({ clock: createClock() });
  generations.setDuration(0);
  const { id } = generations.submit('ada', 'A kite');
  expect(generations.find('ada', id)?.output?.bytes).toBe(6);
  expect(generations.output('ada', id)?.body.toString()).toBe('A kite');
  expect(drawPicture).toHaveBeenCalledWith('A kite', '1:1');
});

it('does not draw unfinished pictures', () => {
  const generations = createState({ clock: createClock() });
  const { id } = generations.submit('ada', 'A kite');
  expect(generations.find('ada', id)?.output).toBeNull();
  expect(generations.output('ada', id)).toBeNull();
  expect(drawPicture).not.toHaveBeenCalled();
});
