/**
 * Fails tests with unexpected console output. A test that expects some must spy on the console. It also
 * gives libraries that wait for a condition, and would give up after a second, time for a busy machine.
 */
import type * as Testing from '@remix-run/testing';
import { afterEach, beforeEach, vi } from 'vitest';

/**
 * Remix's stub creates its router without the future flags that the site's build sets, and cannot
 * be given them. The resulting warning is ignored only in tests that have created a stub.
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

/** Milliseconds; `expect.poll` has the same in `vitest.js`. */
const timeout = 20_000;

// Not every site has this library.
vi.mock('@testing-library/react', async (original) => {
  const library = await original<{ configure: (own: { asyncUtilTimeout: number }) => void }>();
  library.configure({ asyncUtilTimeout: timeout });
  return library;
});

const { waitFor } = vi;
vi.waitFor = (work, options) =>
  waitFor(work, typeof options === 'number' ? options : { timeout, ...options });

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

// Node's own warnings, such as listener leaks.
process.on('warning', (warning) => {
  written.push(`warning: ${String(warning)}`);
});
