/** A thrown error's stack as a developer reads it: the line that threw, then the site's own frames. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Lines shown before and after the one that threw. */
const around = 2;

/**
 * Rewrites `error.stack`: under the message the lines around the throw, then the frames without those of
 * libraries and of Node, with paths relative to `root`. A stack without a frame of the site stays.
 *
 * @param error whatever was thrown, its positions those of the source files.
 * @param root absolute path of the project.
 */
export function showSourceLine(error: unknown, root: string): void {
  if (!(error instanceof Error) || error.stack === undefined) return;
  const lines = error.stack.split('\n');
  const first = lines.findIndex((line) => /^ +at /.test(line));
  if (first === -1) return;
  const own = lines.slice(first).filter((line) => line.includes(root) && !isLibrary.test(line));
  const [, file = '', line, column] = /\(?([^\s(]+):(\d+):(\d+)\)?$/.exec(own[0] ?? '') ?? [];
  const source = sourceOf(file.replace(/^file:\/\//, ''));
  if (source === null) return;
  error.stack = [
    ...lines.slice(0, first),
    '',
    ...frame(source, Number(line), Number(column)),
    '',
    ...own.map((text) => text.replace('file://', '').replaceAll(root + path.sep, '')),
  ].join('\n');
}

const isLibrary = /[/\\]node_modules[/\\]/;

function sourceOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** As Babel and Vite draw it. `line` and `column` count from 1. */
function frame(source: string, line: number, column: number): string[] {
  const from = Math.max(line - around, 1);
  const shown = source.split('\n').slice(from - 1, line + around);
  const width = String(line + around).length;
  return shown.flatMap((text, index) => {
    const number = from + index;
    const row = `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${text}`;
    return number === line ? [row, `  ${' '.repeat(width)} | ${' '.repeat(column - 1)}^`] : [row];
  });
}
