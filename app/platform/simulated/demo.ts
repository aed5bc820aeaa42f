/** The simulated platform in the site's own process, for the offline demo (W31): loaded only there. */
import { runInProcess } from '@gatehouse/simulator/operations';
import * as resources from '.';

export const handle = runInProcess(resources, {
  personaOf: (person) => ({
    id: person.replace('_', '-'),
    purpose: 'Visits the offline demo',
    colour: '#0f766e',
    credits: 100,
    profile: { id: person, name: 'Demo visitor' },
  }),
  people: 200,
  arrivingBytes: 128 * 1024 * 1024,
});
