/**
 * Fails tests with unexpected console output. A test that expects some must spy on the console. It also
 * gives libraries that wait for a condition, and would give up after a second, time for a busy machine.
 */
import { afterEach, beforeEach, vi } from 'vitest';
import { isOfRoutesStub } from '../framework/react-router/testing/stub-warnings.ts';
import { isOfStub } from '../framework/remix/testing/stub-warnings.ts';

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
  for (const level of ['error', 'warn'] as const) {
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => {
      const text = words.map(String).join(' ');
      if (!isOfStub(text) && !isOfRoutesStub(text)) written.push(`console.${level}: ${text}`);
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
