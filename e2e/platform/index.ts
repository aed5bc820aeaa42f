/** What the simulated platform can do for this site. An operation is a file, and a line in this list. */
import { definePlatform } from '../harness/definition';
import * as simulator from '../harness/platform';
// auth: platform
import { createGenerations } from './generations';
import { createMedia } from './media';
import { listGenerations } from './operations/list-generations';
import { readGeneration } from './operations/read-generation';
import { readMedia } from './operations/read-media';
import { readOutput } from './operations/read-output';
import { submitGeneration } from './operations/submit-generation';
import { uploadMedia } from './operations/upload-media';
// /auth
import personas from './personas.json' with { type: 'json' };

export const platform = definePlatform({
  personas,
  createState: ({ clock }) => ({
    clock,
    generations: createGenerations(clock), // auth: platform
    media: createMedia(), // auth: platform
  }),
  operations: [
    // auth: platform
    submitGeneration,
    listGenerations,
    readGeneration,
    readOutput,
    uploadMedia,
    readMedia,
    // /auth
  ],
});

/** Starts the simulator with these operations and people. */
export const startPlatform = (options: simulator.PlatformOptions = {}) =>
  simulator.startPlatform(platform, options);

export type Platform = Awaited<ReturnType<typeof startPlatform>>;
