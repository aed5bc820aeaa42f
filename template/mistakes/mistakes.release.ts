/** The proof reports every variant of every mistake, with the expected codes only (`npm run test:release`). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { correctRoutes } from './correct-routes';
import { makeMistakenSite, proofOf, type Proof } from './mistaken-site';
import { mistakes } from './mistakes';
import type { MadeSite } from '../made-sites/made-site';

let site: MadeSite;
let proof: Proof;

beforeAll(async () => {
  site = await makeMistakenSite(mistakes);
  proof = await proofOf(site);
}, 60 * 60_000);
afterAll(() => site.remove());

const variants = mistakes.flatMap((mistake) =>
  Object.keys(mistake.variants).map((name) => ({ name, ...mistake })),
);
const names = variants.map(({ name }) => name);

/** The variant of the finding's route. For a finding without a route, the variant that its message contains. */
function nameOf({ route, message }: { route: string; message: string }): string | undefined {
  const [, name] = /\/mistakes\/([a-z-]+)/.exec(route) ?? [];
  return name ?? (route === '*' ? names.find((known) => message.includes(known)) : undefined);
}

test.each(variants)('$name: $row', ({ name, reportedAs, alsoReported = [] }) => {
  const findings = proof.findings.filter((finding) => nameOf(finding) === name);
  const codes = findings.map(({ code }) => code);
  expect(codes.filter((code) => reportedAs.includes(code))).not.toEqual([]);
  const allowed = [...reportedAs, ...alsoReported];
  expect(findings.filter(({ code }) => !allowed.includes(code))).toEqual([]);
});

describe('correct routes', () => {
  test('have no findings', () => {
    const others = proof.findings.filter((finding) => !names.includes(nameOf(finding) ?? ''));
    expect(others).toEqual([]);
  });

  test('were part of the proof', () => {
    const paths = Object.entries(correctRoutes).map(([name, { api }]) =>
      api ? `/api/mistakes/${name}` : `/mistakes/${name}`,
    );
    expect(proof.routes).toEqual(expect.arrayContaining([...paths, '/account', '/']));
  });
});
