/** What the site's own accounts add to the site under test: how to get one over HTTP, by posting the pages' forms. */
import { formRequest, type HttpVisitor } from '@gatehouse/simulator/http';
import type { SiteAccounts, SiteFeature } from '@gatehouse/simulator';

const accounts: SiteAccounts = {
  async signUp({ visitor, person, mail }) {
    await send(visitor, '/sign-up', { ...person });
    const link = new URL(await mail.link(person.email), 'http://site.invalid');
    const token = link.searchParams.get('token') ?? '';
    await send(visitor, '/verify-email', { intent: 'confirm', token });
  },
  async signIn({ visitor, person: { email, password } }) {
    await send(visitor, '/sign-in', { email, password });
  },
  passingTables: ['account_limit', 'account_session', 'account_verification', 'mail_outbox'],
};

export default { auth: 'in-app', accounts } satisfies SiteFeature;

async function send(
  visitor: HttpVisitor,
  path: string,
  fields: Record<string, string>,
): Promise<void> {
  const { status } = await visitor.post(path, formRequest(fields));
  if (status >= 400) throw new Error(`${path} answered ${status}.`);
}
