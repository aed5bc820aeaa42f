/** A test that writes to the console by surprise fails. A test that expects it spies for itself. */
import type * as Testing from '@remix-run/testing';
import { afterEach, beforeEach, vi } from 'vitest';

/**
 * Remix's stub makes its router without the flags that the site's own build sets, and cannot be told
 * them. Its warning is expected in a test that has made a stub, and nowhere else.
 */
const ofTheStub = /React Router Future Flag Warning/;
let stubMade = false;

vi.mock('@remix-run/testing', async (original) => {
  const { createRemixStub, ...rest } = await original<typeof Testing>();
  return {
    ...rest,
    createRemixStub: (...options: Parameters<typeof createRemixStub>) => {
      stubMade = true;
      return createRemixStub(...options);
    },
  };
});

const written: string[] = [];

beforeEach(() => {
  written.length = 0;
  stubMade = false;
  for (const level of ['error', 'warn'] as const) {
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => {
      const text = words.map(String).join(' ');
      if (!(stubMade && ofTheStub.test(text))) written.push(`console.${level}: ${text}`);
    });
  }
});

afterEach(() => {
  if (written.length > 0) throw new Error(`Unexpected console output.\n${written.join('\n')}`);
});

// Node's own warnings, such as listeners that pile up.
process.on('warning', (warning) => {
  written.push(`warning: ${String(warning)}`);
});
