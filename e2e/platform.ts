/** The simulated platform of this site: who can sign in there, and what it can do. */
import { definePlatform, joinResources, resourcesOf } from '@gatehouse/simulator/operations';
import * as simulator from '@gatehouse/simulator/platform';
import * as features from './features';
import personas from './personas.json' with { type: 'json' };

export const platform = definePlatform({ personas, ...joinResources(resourcesOf(features)) });

/** Starts the simulator with these operations and personas. */
export const startPlatform = (options: simulator.PlatformOptions = {}) =>
  simulator.startPlatform(platform, options);

export type Platform = Awaited<ReturnType<typeof startPlatform>>;
