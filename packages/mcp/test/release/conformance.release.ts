/** The newest conformance suite, for both eras: fetched from npm, with the Node.js that it needs. */
import { expect, onTestFinished, test } from 'vitest';
import { startConformanceServer } from '../../conformance/conformance-server.ts';
import { impossible, impossibleOfModern, modes } from '../../conformance/modes.ts';
import { problemsOf, runSuite, type Version } from '../../conformance/suite.ts';

test.for([
  ...modes.map((mode) => [mode, 'latest', impossible[mode]] as const),
  ['stateless', 'modern', impossibleOfModern] as const,
])(
  '[M29] HTTP (%s): the suite %s passes, except for what is listed with a reason',
  async ([mode, version, excused]: readonly [
    (typeof modes)[number],
    Version,
    ReadonlyMap<string, string>,
  ]) => {
    const server = await startConformanceServer(mode);
    onTestFinished(server.close);
    const { checks } = await runSuite(server.url, version);
    expect(problemsOf({ checks }, excused)).toEqual([]);
    expect(checks.size).toBeGreaterThan(30);
  },
);
