import { expect, test } from 'vitest';
import { createLog, type LogLevel } from './log.ts';

function recorded(level: LogLevel) {
  const lines: string[] = [];
  const log = createLog({ level, stream: { write: (line) => void lines.push(line) } });
  return { log, lines };
}

test('[M22] a line is JSON with its level, its time, its message and its data', () => {
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
  ['debug', ['debug', 'info', 'warn', 'error']],
  ['info', ['info', 'warn', 'error']],
  ['warn', ['warn', 'error']],
  ['error', ['error']],
  ['silent', []],
])('[M22] at level %s, %j are written', (level, written) => {
  const { log, lines } = recorded(level);
  for (const name of ['debug', 'info', 'warn', 'error'] as const) log[name](name);
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(written);
});

test('[M22] secrets, line ends and hostile data do not get in', () => {
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
