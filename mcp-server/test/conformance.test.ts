/** The official conformance suite, every scenario of it, against a server of this package's parts. */
import { onTestFinished, expect, test, vi } from 'vitest';
import { startConformanceServer } from '../conformance/server.ts';
import { faultsOf, runSuite, type Check } from '../conformance/suite.ts';

vi.setConfig({ testTimeout: 60_000 });

test('[M29] every scenario of the official conformance suite is green', async () => {
  const server = await startConformanceServer();
  onTestFinished(server.close);
  const { checks } = await runSuite(server.url);

  const faults = [...checks].flatMap(([scenario, results]) =>
    faultsOf(results).map((fault) => `${scenario}: ${fault}`),
  );
  expect(faults).toEqual([]);
  expect(checks.size).toBe(32);

  // These two scenarios accept any text, a missing tool's too.
  const resultOf = (scenario: string) => checks.get(scenario)?.[0]?.details?.['result'];
  expect(resultOf('tools-call-simple-text')).toEqual({
    content: [{ type: 'text', text: 'This is a simple text response for testing.' }],
    structuredContent: { text: 'This is a simple text response for testing.' },
  });
  expect(resultOf('tools-call-error')).toEqual({
    content: [
      { type: 'text', text: 'Error: This tool intentionally returns an error for testing' },
    ],
    isError: true,
  });
  // And this one is content with a stream that was never broken.
  expect(checks.get('server-sse-polling')).toContainEqual(
    expect.objectContaining({ id: 'server-sse-disconnect-resume', status: 'SUCCESS' }),
  );
});

test('a warning, a failure and a scenario without a check are not green', () => {
  const check = (status: Check['status']): Check => ({ id: 'one', status });
  expect(faultsOf([check('SUCCESS'), check('INFO')])).toEqual([]);
  expect(faultsOf([check('SUCCESS'), check('WARNING')])).toEqual(['WARNING one: ']);
  expect(faultsOf([check('SUCCESS'), check('FAILURE')])).toHaveLength(1);
  expect(faultsOf([check('INFO')])).toHaveLength(1);
  expect(faultsOf([])).toHaveLength(1);
});

test('a suite that cannot reach its server is no success', async () => {
  const server = await startConformanceServer();
  await server.close();
  const { checks } = await runSuite(server.url);
  expect([...checks.values()].flatMap(faultsOf).length).toBeGreaterThan(30);
});
