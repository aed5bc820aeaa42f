/** Stores a secret from the user as the credential of their later calls, without access to its value (M30). */
import { z } from 'zod';
import { blocks, line, nameWithId, path, request, shaped, tool, writes } from '@gatehouse/mcp';

const account = z.object({ id: z.string(), name: z.string() });

export const connectAccount = tool({
  name: 'example_connect_account',
  annotations: writes('Connect an account'),
  output: z.strictObject({
    connected: z.boolean(),
    account: account.strict().optional(),
  }),
  purpose: 'Lets the user give their own API token, on a page that only they see.',
  whenToUse: [
    'A call said "Invalid API authentication".',
    'The user wants to act as themselves.',
    'The user wrote a token in the conversation: it does not belong there.',
  ],
  whenNotToUse: ['Calls work, and the user has not asked to act as themselves.'],
  returns: 'Whose account it is; never the token.',
  errors: ['After any error nothing has changed: an account connected before stays.'],
  examples: [{}],
  async handler(_args, context) {
    const reply = await context.elicit('Your personal API token of the directory', 'password');
    if (reply.action !== 'accept') return { connected: false };
    // Try the secret before keeping it, so that a working account stays if anything fails.
    const secret = reply.value;
    const me = shaped(account, await request(context, path`/me`, { secret }));
    context.lifespanState.credentials.keep(secret);
    return { connected: true, account: me };
  },
  markdown: ({ account: connected }) =>
    connected
      ? line`# Connected as ${nameWithId(connected.name, connected.id)}`
      : blocks(line`# Not connected`, line`The user gave no token. Nothing has changed.`),
});
