/** A terminal at which somebody answers. */
import { PassThrough } from 'node:stream';

/** Keys that are pressed once the screen shows a text. */
export type Answer = [shown: string, ...keys: string[]];

export const [enter, down, space] = ['\r', '\u001b[B', ' '] as const;

export function terminalFor(answers: readonly Answer[]) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const left = [...answers];
  let all = '';
  let shown = '';
  // Each key by itself, as from a keyboard.
  const press = ([key, ...more]: string[]) => {
    if (key === undefined) return;
    input.write(key);
    setImmediate(press, more);
  };
  output.on('data', (chunk: Buffer) => {
    all += chunk.toString();
    shown += chunk.toString();
    const [[text, ...keys] = [undefined]] = left;
    if (text === undefined || !shown.includes(text)) return;
    left.shift();
    shown = '';
    // When the prompt listens.
    setImmediate(press, keys);
  });
  return { terminal: { input, output }, screen: () => all };
}
