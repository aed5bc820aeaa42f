/** Starts the program in a process of its own, like a client or an operator. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const programs = new URL('../../.cache/programs/', import.meta.url);
/** @param file A path under the package's folder. `built-programs.ts` compiled it before the tests. */
export const compiled = (file: string) => fileURLToPath(new URL(file, programs));
export const upstreamProbeProgram = compiled('test/programs/upstream-probe-program.js');
const probeProgram = compiled('test/programs/probe-program.js');

export const command = process.execPath;
export const args = [probeProgram];

/** Starts the program with the probe service, and records its output. Killed after the test. */
export function start(flags: string[] = [], env: Record<string, string> = {}) {
  const child = spawn(command, [...args, ...flags], { env: { PATH: process.env.PATH, ...env } });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  /** Its exit code, and the signal that ended it. */
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  const send = (...messages: unknown[]) => {
    for (const message of messages) {
      child.stdin.write(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`);
    }
  };
  const messages = () =>
    output.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { child, output, ended, send, messages };
}
