/** The simulated platform over HTTP, with people of its own, behind a site that passes every call on. */
import { definePlatform, joinResources } from '@gatehouse/simulator/operations';
import { openTestSite } from '@gatehouse/simulator/testing/test-platform';
import * as resources from '~/platform/simulated';

const people = { ada: 120, bobby: 12, zoe: 0, xochitl: 100 };

/** For a whole test file: call it once at the top. Reset after each test. */
export const openSimulatedSite = () =>
  openTestSite(
    definePlatform({
      personas: Object.entries(people).map(([id, credits]) => ({
        id,
        purpose: 'A person in tests',
        colour: '#0f766e',
        credits,
        profile: { id: `usr_${id}`, credits },
      })),
      ...joinResources(resources),
    }),
  );
