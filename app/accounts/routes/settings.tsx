/** `/settings`: the signed-in site account. */
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { headersOfResponse, onlyPost, readFields, textOf } from '@gatehouse/frame/server';
import { listSessions, requireAccount } from '~/accounts.server';
import { requireSameAccount } from '@gatehouse/accounts';
import { siteEnv } from '~/env.server';
import type { RouteHandle } from '~/route-handle';
import { DownloadButton } from '~/shell/download-button';
import { titleOf } from '~/site.config';
import { Card } from '~/ui/card';
import { Toaster } from '~/ui/toast';
import { useLostFocus } from '~/ui/use-lost-focus';
import { AccountForm } from '../forms/account-form';
import { emailField, nameMaxLength, newPasswordField, passwordField } from '../forms/fields';
import {
  submitEmail,
  submitName,
  submitPassword,
  submitDeletion,
  submitEnd,
  submitEndOthers,
  type SettingsCall,
} from '../forms/settings-forms.server';
import { SessionList } from '../forms/session-list';

export const handle = { access: 'account', body: 16 * 1024 } satisfies RouteHandle;

export const headers = headersOfResponse;

export const meta: MetaFunction = () => [{ title: titleOf('Settings') }];

export async function loader(args: LoaderFunctionArgs) {
  const { account } = await requireAccount(args);
  return {
    id: account.id,
    name: account.name,
    email: account.email,
    sessions: await listSessions(account.id),
    session: account.sessionId,
    sendsMail: siteEnv().smtpUrl !== null,
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { account } = await requireAccount({ request, context });
  onlyPost(request);
  const form = await readFields(request);
  requireSameAccount(account, form);
  const address = context.clientAddress;
  const call: SettingsCall = { account, request, context, form, address };
  switch (textOf(form, 'intent')) {
    case 'name':
      return submitName(call);
    case 'email':
      return submitEmail(call);
    case 'password':
      return submitPassword(call);
    case 'end-session':
      return submitEnd(call);
    case 'end-others':
      return submitEndOthers(call);
    case 'delete':
      return submitDeletion(call);
    default:
      throw new Response(null, { status: 400 });
  }
}

export default function Settings() {
  const { id, name, email, sessions, session, sendsMail } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const form = { result, hidden: { account: id } };
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
        <AccountForm
          {...form}
          intent="name"
          submit={{ ...saving, label: 'Save name' }}
          fields={[
            {
              name: 'name',
              label: 'Name',
              type: 'text',
              autoComplete: 'name',
              defaultValue: name,
              maxLength: nameMaxLength,
            },
          ]}
        />
      </Section>

      {sendsMail && (
        <Section
          title="E-mail address"
          text="We will send a link to the new address. The old one stays until you open it."
        >
          <AccountForm
            {...form}
            intent="email"
            submit={{ ...saving, label: 'Change address' }}
            fields={[{ ...emailField, label: 'New e-mail', autoComplete: 'email' }, passwordField]}
          />
        </Section>
      )}

      <Section title="Password" text="Changing it ends every other session.">
        <AccountForm
          {...form}
          intent="password"
          submit={{ ...saving, label: 'Change password' }}
          fields={[
            { ...passwordField, name: 'current', label: 'Current password' },
            newPasswordField,
          ]}
        />
      </Section>

      <Section title="Sessions" text="Where you are signed in.">
        <SessionList sessions={sessions} current={session} owner={id} />
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
        <AccountForm
          {...form}
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
