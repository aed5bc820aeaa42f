/** Every mistake, in every phrasing, is told by the proof, and told of nothing else (`npm run test:release`). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { honest } from './honest';
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

const phrasings = mistakes.flatMap((mistake) =>
  Object.keys(mistake.phrasings).map((name) => ({ name, ...mistake })),
);
const names = phrasings.map(({ name }) => name);

/** The phrasing that a route belongs to, or that a finding of no route names. */
function nameOf({ route, message }: { route: string; message: string }): string | undefined {
  const [, name] = /\/mistakes\/([a-z-]+)/.exec(route) ?? [];
  return name ?? (route === '*' ? names.find((one) => message.includes(one)) : undefined);
}

test.each(phrasings)('$name: $row', ({ name, told, besides = [] }) => {
  const findings = proof.findings.filter((finding) => nameOf(finding) === name);
  const codes = findings.map(({ code }) => code);
  expect(codes.filter((code) => told.includes(code))).not.toEqual([]);
  const allowed = [...told, ...besides];
  expect(findings.filter(({ code }) => !allowed.includes(code))).toEqual([]);
});

describe('what is honest', () => {
  test('nothing is told of a route beside them, nor of none', () => {
    const others = proof.findings.filter((finding) => !names.includes(nameOf(finding) ?? ''));
    expect(others).toEqual([]);
  });

  test('those routes were there', () => {
    const paths = Object.entries(honest).map(([name, { api }]) =>
      api ? `/api/mistakes/${name}` : `/mistakes/${name}`,
    );
    expect(proof.routes).toEqual(expect.arrayContaining([...paths, '/account', '/']));
  });
});
