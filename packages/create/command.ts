/** What a command's program prints, and how it ends. */
import type { Terminal } from './request/questions.ts';
import { isRefusal } from './request/refusal.ts';

/** The terminal of this process, unless its input or output is none: then there is nobody to ask. */
export function ownTerminal(): Terminal | undefined {
  const { stdin, stdout } = process;
  return stdin.isTTY && stdout.isTTY ? { input: stdin, output: stdout } : undefined;
}

export function print(text: string): void {
  console.log(text);
}

export async function runCommand(run: () => Promise<string>): Promise<void> {
  try {
    print(await run());
  } catch (error) {
    if (!isRefusal(error)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
