/** Fails tests with unexpected console output. A test that expects some must spy on the console. */
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
