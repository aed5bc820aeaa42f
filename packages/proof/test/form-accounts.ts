/** How to get an account of the small sites that the proof is tested with. */
import { formRequest } from '@gatehouse/simulator/http';
import type { SiteAccounts } from '@gatehouse/simulator';

export const accounts: SiteAccounts = {
  async signUp({ visitor, person }) {
    const { status } = await visitor.post('/sign-up', formRequest({ ...person }));
    if (status >= 400) throw new Error(`/sign-up returned ${status}.`);
  },
  async signIn({ visitor, person: { email, password } }) {
    const { status } = await visitor.post('/sign-in', formRequest({ email, password }));
    if (status >= 400) throw new Error(`/sign-in returned ${status}.`);
  },
  passingTables: ['session'],
};
