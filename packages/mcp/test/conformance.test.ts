/** Every scenario of the official conformance suite, against servers built from this package. */
import { onTestFinished, expect, test } from 'vitest';
import { impossible, modes } from '../conformance/modes.ts';
import { startConformanceServer } from '../conformance/conformance-server.ts';
import { faultsOf, problemsOf, runSuite, type Check } from '../conformance/suite.ts';

test.for(modes)(
  '[M29] HTTP (%s): the official conformance suite passes, except for the scenarios listed with a reason',
  async (mode) => {
    const server = await startConformanceServer(mode);
    onTestFinished(server.close);
    const result = await runSuite(server.url);
    expect(problemsOf(result, impossible[mode])).toEqual([]);
    expect(result.checks.size).toBe(32);

    const _meta = { callId: expect.any(String) as string };
    // These two scenarios accept any text, including the error for an unknown tool.
    const resultOf = (scenario: string) => result.checks.get(scenario)?.[0]?.details?.['result'];
    expect(resultOf('tools-call-simple-text')).toEqual({
      content: [{ type: 'text', text: 'This is a simple text response for testing.' }],
      structuredContent: { text: 'This is a simple text response for testing.' },
      _meta,
    });
    expect(resultOf('tools-call-error')).toEqual({
      content: [
        { type: 'text', text: 'Error: This tool intentionally returns an error for testing' },
      ],
      isError: true,
      _meta,
    });
    if (mode === 'sessions')
      // This scenario also accepts a stream that was never interrupted.
      expect(result.checks.get('server-sse-polling')).toContainEqual(
        expect.objectContaining({ id: 'server-sse-disconnect-resume', status: 'SUCCESS' }),
      );
  },
);

test('a warning, a failure and a scenario without a check do not pass', () => {
  const check = (status: Check['status']): Check => ({ id: 'one', status });
  expect(faultsOf([check('SUCCESS'), check('INFO')])).toEqual([]);
  expect(faultsOf([check('SUCCESS'), check('WARNING')])).toEqual(['WARNING one: ']);
  expect(faultsOf([check('SUCCESS'), check('FAILURE')])).toHaveLength(1);
  expect(faultsOf([check('INFO')])).toHaveLength(1);
  expect(faultsOf([])).toHaveLength(1);
});

test('a scenario listed as impossible must exist, and must not pass', () => {
  const checks = new Map<string, Check[]>([
    ['ping', [{ id: 'ping', status: 'SUCCESS' }]],
    ['sampling', [{ id: 'asked', status: 'FAILURE' }]],
  ]);
  expect(problemsOf({ checks }, new Map([['sampling', 'Nobody is asked.']]))).toEqual([]);
  expect(problemsOf({ checks }, new Map())).toEqual(['sampling: FAILURE asked: ']);
  const wrong = new Map([
    ['ping', ''],
    ['sampling', ''],
    ['gone', ''],
  ]);
  expect(problemsOf({ checks }, wrong)).toEqual([
    'ping: It is green after all.',
    'gone: There is no such scenario.',
  ]);
});

test('a suite that cannot reach its server does not pass', async () => {
  const server = await startConformanceServer('stateless');
  await server.close();
  const { checks } = await runSuite(server.url);
  expect([...checks.values()].flatMap(faultsOf).length).toBeGreaterThan(30);
});
