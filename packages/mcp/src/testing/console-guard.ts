/** Fails a test that writes to the console unexpectedly. A test that expects output installs its own spy. */
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';

const written: string[] = [];

beforeEach(() => {
  written.length = 0;
  for (const level of ['debug', 'error', 'info', 'log', 'warn'] as const) {
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => {
      written.push(`console.${level}: ${words.map(String).join(' ')}`);
    });
  }
});

afterEach(() => {
  if (written.length > 0) throw new Error(`Unexpected console output.\n${written.join('\n')}`);
});

/** Warnings of Node.js, such as the one about listener leaks. */
function onWarning(warning: Error): void {
  written.push(`warning: ${String(warning)}`);
}
beforeAll(() => {
  process.on('warning', onWarning);
});
afterAll(() => {
  process.off('warning', onWarning);
});
