/** Where a handle names a role, each guard of the route asks for it. */
import { phrasings } from '../../test/rule-tester.ts';
import rule from './guard-first.js';

/** A page for administrators, whose guards may ask for a role. */
const forAdmins = (asked: string, handle = "{ access: 'account', role: 'admin' }") =>
  `import { requireAccount, requireAccountForm } from '~/accounts.server';
import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
export const handle = ${handle};
const editor = 'editor';
export async function loader(args: LoaderFunctionArgs) {
  const { account } = await requireAccount(args, { role: 'admin' });
  return account.name;
}
export async function action(args: ActionFunctionArgs) {
  const { account } = await requireAccountForm(${asked});
  return account.name;
}`;

phrasings(
  'site/guard-first reports a guard that does not ask for the role of the handle [W19]',
  rule,
  {
    role: [
      forAdmins('args'),
      forAdmins('args, {}'),
      forAdmins("args, { role: 'editor' }"),
      forAdmins('args, { role: editor }'),
    ],
  },
  [
    forAdmins("args, { role: 'admin' }"),
    // One form of a page for every member.
    forAdmins("args, { role: 'admin' }", "{ access: 'account' }"),
  ],
);
