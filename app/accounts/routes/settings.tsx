/** `/settings`: the signed-in site account. */
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import type { FormOutcome, FormReply, PasswordRefused } from '@gatehouse/accounts';
import { headersOfResponse } from '@gatehouse/frame/server';
import {
  changeEmail,
  changeName,
  changePassword,
  deleteAccount,
  endOtherSessions,
  endSession,
  listSessions,
  requireAccount,
  requireAccountForm,
} from '~/accounts.server';
import { siteEnv } from '~/env.server';
import type { RouteHandle } from '~/route-handle';
import { DownloadButton } from '~/shell/download-button';
import { titleOf } from '~/site.config';
import { ActionForm } from '~/ui/action-form';
import { Card } from '~/ui/card';
import { Toaster } from '~/ui/toast';
import { useLostFocus } from '~/ui/use-lost-focus';
import { emailField, nameField, newPasswordField, passwordField } from '../forms/fields';
import {
  changeEmailSchema,
  changePasswordSchema,
  deleteSchema,
  endSessionSchema,
  nameSchema,
  noFields,
} from '../forms/schemas.server';
import { SessionList } from '../forms/session-list';

export const handle = { access: 'account', body: 16 * 1024 } satisfies RouteHandle;

export const headers = headersOfResponse;

export const meta: MetaFunction = () => [{ title: titleOf('Settings') }];

export async function loader(args: LoaderFunctionArgs) {
  const { account } = await requireAccount(args);
  const { id, name, email, sessionId } = account;
  const sessions = await listSessions(id);
  return { id, name, email, sessionId, sessions, sendsMail: siteEnv().smtpUrl !== null };
}

export async function action(args: ActionFunctionArgs) {
  const { account, form, call } = await requireAccountForm(args);
  switch (form.intent) {
    case 'name':
      return form.submit(nameSchema, async ({ name }) => {
        await changeName(call, name);
        return { done: 'Saved.' };
      });
    case 'email':
      return form.submit(changeEmailSchema, async (credentials) => {
        const result = await changeEmail(call, credentials);
        if (result.ok) {
          return {
            done: `We have sent a link to ${credentials.email}. Open it to confirm the address.`,
          };
        }
        return result.reason === 'same'
          ? { refused: { email: ['This is already your address.'] } }
          : orWrong(result, 'password');
      });
    case 'password':
      return form.submit(changePasswordSchema, async (passwords) => {
        const result = await changePassword(call, passwords);
        return result.ok
          ? { done: 'Your password has been changed.', headers: { 'set-cookie': result.cookie } }
          : orWrong(result, 'current');
      });
    case 'end-session':
      return form.submit(endSessionSchema, async ({ session }) =>
        (await endSession(account.id, session))
          ? { done: 'The session has ended.' }
          : { refused: 'This session no longer exists.', status: 404 },
      );
    case 'end-others':
      return form.submit(noFields, async () => {
        await endOtherSessions(account.id, account.sessionId);
        return { done: 'All other sessions have ended.' };
      });
    case 'delete':
      return form.submit(deleteSchema, async ({ password }) => {
        const result = await deleteAccount(call, password);
        return result.ok
          ? redirect('/', { status: 303, headers: { 'set-cookie': result.cookie } })
          : orWrong(result, 'password');
      });
    default:
      throw new Response(null, { status: 400 });
  }
}

/** @param field the one with the account's password. */
function orWrong(refused: PasswordRefused, field: string): FormOutcome {
  return refused.reason === 'limited' ? refused : { refused: { [field]: ['Wrong password.'] } };
}

export default function Settings() {
  const { id, name, email, sessions, sessionId, sendsMail } = useLoaderData<typeof loader>();
  const result = useActionData<FormReply>();
  const hidden = { account: id };
  const saving = { busy: 'Saving…', tone: 'secondary' } as const;
  const ended = result?.intent.startsWith('end-') ? result : undefined;
  // The button of an ended session disappears.
  const status = useLostFocus<HTMLParagraphElement>();
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-8">
      <div className="grid gap-2">
        <h1 className="font-display text-4xl">Settings</h1>
        <p className="text-muted wrap-anywhere">
          The site account of <bdi>{name}</bdi>, {email}
        </p>
      </div>

      <Section title="Name">
        <ActionForm
          hidden={hidden}
          intent="name"
          submit={{ ...saving, label: 'Save name' }}
          fields={[{ ...nameField, defaultValue: name }]}
        />
      </Section>

      {sendsMail && (
        <Section
          title="E-mail address"
          text="We will send a link to the new address. The old one stays until you open it."
        >
          <ActionForm
            hidden={hidden}
            intent="email"
            submit={{ ...saving, label: 'Change address' }}
            fields={[{ ...emailField, label: 'New e-mail', autoComplete: 'email' }, passwordField]}
          />
        </Section>
      )}

      <Section title="Password" text="Changing it ends every other session.">
        <ActionForm
          hidden={hidden}
          intent="password"
          submit={{ ...saving, label: 'Change password' }}
          fields={[
            { ...passwordField, name: 'current', label: 'Current password' },
            newPasswordField,
          ]}
        />
      </Section>

      <Section title="Sessions" text="Where you are signed in.">
        <SessionList sessions={sessions} current={sessionId} owner={id} />
        <p ref={status} tabIndex={-1} role="status" className="text-sm outline-none empty:hidden">
          {ended?.message ?? ended?.result?.error?.['']?.join(' ')}
        </p>
      </Section>

      <Section title="Your data" text="Everything this site stores about you, as a JSON file.">
        <div className="flex flex-wrap gap-2">
          <DownloadButton url="/api/account-export" filename="account.json" />
        </div>
      </Section>

      <Section
        title="Delete account"
        text="This deletes the account and all of its data. It cannot be undone."
        tone="danger"
      >
        <ActionForm
          hidden={hidden}
          intent="delete"
          submit={{ ...saving, label: 'Delete permanently', busy: 'Deleting…' }}
          fields={[passwordField]}
        />
      </Section>
      <Toaster />
    </div>
  );
}

interface SectionProps {
  title: string;
  text?: string;
  tone?: 'danger';
  children: ReactNode;
}

function Section({ title, text, tone, children }: SectionProps) {
  return (
    <section>
      <Card tone={tone} className="grid gap-4 p-5 sm:p-6">
        <div className="grid gap-1">
          <h2 className="text-xl font-semibold">{title}</h2>
          {text && <p className="text-muted text-sm">{text}</p>}
        </div>
        {children}
      </Card>
    </section>
  );
}
