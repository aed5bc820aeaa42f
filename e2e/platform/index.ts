/** What the simulated platform can do for this site. An operation is a file, and a line in this list. */
import type { PlatformDefinition } from '../harness/definition';
import * as engine from '../harness/platform';
import { createGenerations } from './generations';
import { createMedia } from './media';
import { listGenerations } from './operations/list-generations';
import { readGeneration } from './operations/read-generation';
import { readMedia } from './operations/read-media';
import { readOutput } from './operations/read-output';
import { submitGeneration } from './operations/submit-generation';
import { uploadMedia } from './operations/upload-media';
import personas from './personas.json' with { type: 'json' };
import type { State } from './state';

const definition: PlatformDefinition<State> = {
  personas,
  createState: ({ clock }) => ({ generations: createGenerations(clock), media: createMedia() }),
  operations: [
    submitGeneration,
    listGenerations,
    readGeneration,
    readOutput,
    uploadMedia,
    readMedia,
  ],
};

/** All that a fault may strike at the internal address; `*` for all of it. */
export const endpoints: readonly string[] = [
  '*',
  'user',
  ...definition.operations.map(({ name }) => name),
];

export type Platform = engine.Platform<State>;

/** Starts the simulator with these operations and people. */
export function startPlatform(options: engine.PlatformOptions = {}): Promise<Platform> {
  return engine.startPlatform(definition, options);
}
