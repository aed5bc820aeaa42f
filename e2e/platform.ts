/** The operations of this site's simulated platform. Each is a file, and a line in this list. */
import { definePlatform } from '@gatehouse/simulator';
import * as simulator from '@gatehouse/simulator/platform';
// auth: platform
import { createCredits } from './resources/credits';
import { createGenerations } from './resources/generations';
import { createMedia } from './resources/media';
import { cancelGeneration } from './operations/cancel-generation';
import { chooseWorkspace } from './operations/choose-workspace';
import { estimateOrder } from './operations/estimate-order';
import { listCredits } from './operations/list-credits';
import { listGenerations } from './operations/list-generations';
import { listWorkspaces } from './operations/list-workspaces';
import { readGeneration } from './operations/read-generation';
import { readMedia } from './operations/read-media';
import { readOutput } from './operations/read-output';
import { removeGeneration } from './operations/remove-generation';
import { removeMedia } from './operations/remove-media';
import { restoreGeneration } from './operations/restore-generation';
import { submitGeneration } from './operations/submit-generation';
import { uploadMedia } from './operations/upload-media';
import { watchGenerations } from './operations/watch-generations';
import { refund } from './resources/refund';
import { createSubmissions } from './resources/submissions';
import { createWorkspaces } from './resources/workspaces';
// /auth
import personas from './personas.json' with { type: 'json' };

export const platform = definePlatform({
  personas,
  createState: ({
    clock,
    personas, // auth: platform
  }) => ({
    clock,
    // auth: platform
    generations: createGenerations(clock),
    submissions: createSubmissions(),
    media: createMedia(),
    workspaces: createWorkspaces(),
    credits: createCredits(clock, personas),
    // /auth
  }),
  settle: refund, // auth: platform
  operations: [
    // auth: platform
    submitGeneration,
    listGenerations,
    // Must precede the operation whose path parameter would match `events`.
    watchGenerations,
    readGeneration,
    cancelGeneration,
    removeGeneration,
    restoreGeneration,
    readOutput,
    estimateOrder,
    uploadMedia,
    readMedia,
    removeMedia,
    listWorkspaces,
    chooseWorkspace,
    listCredits,
    // /auth
  ],
});

/** Starts the simulator with these operations and personas. */
export const startPlatform = (options: simulator.PlatformOptions = {}) =>
  simulator.startPlatform(platform, options);

export type Platform = Awaited<ReturnType<typeof startPlatform>>;
