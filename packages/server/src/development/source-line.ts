/** Makes a thrown error's stack readable: the source line that threw, then the site's own frames. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Lines to show before and after the one that threw. */
const around = 2;

/**
 * Rewrites `error.stack`: the message, the lines around the throw, then the frames without those of libraries
 * and Node, with paths relative to `root`. A stack without any of the site's frames is left unchanged.
 *
 * @param error anything thrown, with positions in the source files.
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

/** A code frame like Babel's and Vite's. `line` and `column` count from 1. */
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
