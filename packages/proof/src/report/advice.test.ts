/** What the reports advise fits the site's auth mode (W29). */
import { expect, test } from 'vitest';
import { findingMeanings, type FindingCode } from '../findings/finding.ts';
import { adviceOn } from './advice.ts';

const codes = Object.keys(findingMeanings) as FindingCode[];

/** What a site whose accounts are all its own has no code for. */
const ofPlatform =
  /platform|SDK|PLATFORM_|\/api\/user|__auth|useUser|(check|require)PlatformUser|SignInButton|SignOutButton|SignedOutPanel|refusal\(|toSafeProfile|guardFailureResponse/i;

/** These report that the site has to do with the platform, which their advice must name. */
const aboutPlatform: FindingCode[] = [
  'guard-first/call-in-app',
  'frame/platform-cookie',
  'frame/auth-fetched',
];

test.each(codes)(
  'in a site whose accounts are its own, the advice on %s names nothing of the platform [W29]',
  (code) => {
    const { remedy } = adviceOn(code, 'in-app');
    const isAllowed =
      aboutPlatform.includes(code) ||
      remedy === adviceOn('guard-first/call-in-app', 'in-app').remedy;
    if (isAllowed)
      expect(remedy).not.toMatch(/SDK|useUser|PlatformUser|SignInButton|SignOutButton/);
    else expect(remedy).not.toMatch(ofPlatform);
  },
);

test.each(
  codes.filter((code) => adviceOn(code, 'both').remedy !== adviceOn(code, 'platform').remedy),
)('in a site of the platform’s accounts only, the advice on %s names no others [W29]', (code) => {
  expect(adviceOn(code, 'platform').remedy).not.toMatch(/Account/);
});

test.each([
  ['signed-out-page/return-path', 'platform', /SignInButton/],
  ['signed-out-page/return-path', 'in-app', /requireAccount/],
  ['signed-out-page/usable-control', 'both', /useUser.*requireAccount/],
  ['signed-out-page/usable-control', 'platform', /useUser/],
  ['trouble/no-way-back', 'in-app', /usePolling/],
] as const)('the advice on %s in mode %s is %s', (code, auth, advice) => {
  expect(adviceOn(code, auth).remedy).toMatch(advice);
});
