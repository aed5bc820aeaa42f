/** The settings of `app/site.config.ts` that the server reads. */
import {
  beforeEach,
  expect,
  test,
  vi, // auth: platform
} from 'vitest';
import { site as config } from '~/site.config';
import { site } from './site';

vi.stubEnv('PLATFORM_INTERNAL_URL', 'http://127.0.0.1:4001'); // auth: platform

const sources: Record<string, readonly string[]> = config.contentSources;

beforeEach(() => () => {
  for (const directive of Object.keys(sources)) Reflect.deleteProperty(sources, directive);
});

test('content sources are normalised as browsers compare them', () => {
  sources['img-src'] = ['https://Images.example:443/', 'https://*.bücher.example', 'data:'];
  sources['connect-src'] = ['wss://Live.example', 'https://cdn.example/lib/'];
  expect(site.settings().contentSources).toEqual({
    'img-src': ['https://images.example', 'https://*.xn--bcher-kva.example', 'data:'],
    'connect-src': ['wss://live.example', 'https://cdn.example/lib/'],
  });
});

test.each([
  ['images.example', 'images.example must begin with https:// or http:// or wss:// or ws://.'],
  [
    "https://images.example; script-src 'unsafe-inline'",
    "https://images.example; script-src 'unsafe-inline' must have a host of letters, digits, dots and hyphens.",
  ],
  [
    'https://images.example.',
    'https://images.example. must be https://images.example, without the dot after the host.',
  ],
])('the content source %s stops the start with one sentence', (source, sentence) => {
  sources['img-src'] = [source];
  const place = "contentSources['img-src'] in app/site.config.ts: ";
  expect(() => site.settings()).toThrow(
    expect.objectContaining({ name: 'SettingError', message: place + sentence }),
  );
});
