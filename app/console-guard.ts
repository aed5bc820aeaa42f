/** A test that writes to the console by surprise fails. A test that expects it spies for itself. */
import { afterEach, beforeEach, vi } from 'vitest';

/** Remix's stub makes its router without the flags that the site's own build sets. */
const expected = /React Router Future Flag Warning/;

const written: string[] = [];

beforeEach(() => {
  written.length = 0;
  for (const level of ['error', 'warn'] as const) {
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => {
      const text = words.map(String).join(' ');
      if (!expected.test(text)) written.push(`console.${level}: ${text}`);
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
