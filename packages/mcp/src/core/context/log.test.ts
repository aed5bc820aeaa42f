import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { compiled } from '../../../test/programs/started-program.ts';
import { createLog, type LogLevel } from './log.ts';

function recorded(level: LogLevel) {
  const lines: string[] = [];
  const log = createLog({ level, stream: { write: (line) => void lines.push(line) } });
  return { log, lines };
}

test('[M22] a line is JSON with its level, time, message and data', () => {
  const { log, lines } = recorded('info');
  log.info('A call ended', { tool: 'example_search_users', ms: 12 });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/\}\n$/);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
    msg: 'A call ended',
    data: { tool: 'example_search_users', ms: 12 },
  });
});

test.each<[LogLevel, string[]]>([
  ['trace', ['debug', 'info', 'warn', 'error']],
  ['debug', ['debug', 'info', 'warn', 'error']],
  ['info', ['info', 'warn', 'error']],
  ['warn', ['warn', 'error']],
  ['error', ['error']],
  ['fatal', []],
  ['silent', []],
])('[M22] at level %s, %j are written', (level, written) => {
  const { log, lines } = recorded(level);
  for (const name of ['debug', 'info', 'warn', 'error'] as const) log[name](name);
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(written);
});

test('[M22] secrets, line breaks and hostile data are not written', () => {
  const { log, lines } = recorded('debug');
  log.error('Failed with Bearer planted-value\n{"level":"info","msg":"forged"}', {
    token: 'planted-value',
    error: new Error('password=planted-value'),
    msg: 'forged',
    level: 'debug',
  });
  expect(lines).toHaveLength(1);
  expect(lines[0]?.trimEnd()).not.toContain('\n');
  expect(lines[0]).not.toContain('planted-value');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error', data: { msg: 'forged' } });
  expect(lines[0]).toContain('log.test.ts');
});

/** Starts a program that logs so many lines of one kilobyte and then ends. */
function logging(times: number): ChildProcessWithoutNullStreams {
  const program = `
    import { createLog } from '${compiled('src/core/context/log.js')}';
    const log = createLog({ level: 'info' });
    for (let index = 0; index < ${times}; index += 1) log.info('x'.repeat(1000));
    process.stdout.write('still alive');
    setImmediate(() => process.exit(0));`;
  return spawn(process.execPath, ['--input-type=module', '-e', program]);
}

test('[M22 M28] the log is written to stderr, and nothing to stdout', async () => {
  const child = logging(3);
  const [out, lines] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(out).toBe('still alive');
  expect(
    lines
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { level: string }).level),
  ).toEqual(['info', 'info', 'info']);
});

test('[M28] a parent that does not read stderr neither blocks the program nor prevents its exit', async () => {
  const child = logging(3_000);
  const exited = once(child, 'exit');
  expect(await text(child.stdout)).toBe('still alive');
  expect(await exited).toEqual([0, null]);
  child.stderr.destroy();
});

test('[M28] a closed stderr does not end the program', async () => {
  const child = logging(100);
  child.stderr.destroy();
  const exited = once(child, 'exit');
  expect(await text(child.stdout)).toBe('still alive');
  expect(await exited).toEqual([0, null]);
});
