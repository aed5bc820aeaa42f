/** The simulated platform in the site's own process, for the offline demo (W31): loaded only there. */
import { joinResources, runInProcess } from '@gatehouse/simulator/operations';
import * as resources from '.';

/** Bytes of all visitors' files together. As much again may be arriving. */
const fileBytes = 128 * 1024 * 1024;
const media = resources.media.createState(undefined, fileBytes);

export const handle = runInProcess(
  joinResources({
    ...resources,
    media: { ...resources.media, createState: () => media },
    generations: {
      ...resources.generations,
      createState: (parts) => resources.generations.createState(parts, 100),
    },
  }),
  {
    personaOf: (person) => ({
      id: person.replace('_', '-'),
      purpose: 'Visits the offline demo',
      colour: '#0f766e',
      credits: 100,
      profile: { id: person, name: 'Demo visitor' },
    }),
    people: 200,
    arrivingBytes: fileBytes,
  },
);
