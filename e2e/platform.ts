/** The simulated platform of this site: who can sign in there, and what it can do. */
import { definePlatform, joinResources } from '@gatehouse/simulator/operations';
import * as simulator from '@gatehouse/simulator/platform';
import * as resources from '../app/platform/simulated'; // auth: platform
import personas from './personas.json' with { type: 'json' };

export const platform = definePlatform({
  personas,
  ...joinResources({
    ...resources, // auth: platform
  }),
});

/** Starts the simulator with these operations and personas. */
export const startPlatform = (options: simulator.PlatformOptions = {}) =>
  simulator.startPlatform(platform, options);

export type Platform = Awaited<ReturnType<typeof startPlatform>>;
