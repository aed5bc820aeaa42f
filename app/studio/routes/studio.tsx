/** The studio: ask for a picture, watch it come, keep it. */
import type { SubmissionResult } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { data, redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { useEffect } from 'react';
import { titleOf } from '~/site.config';
import { Card } from '~/ui/card';
import { Feed } from '~/studio/feed';
import { PlatformLost } from '~/shell/platform/platform-lost';
import { platformMessages } from '~/shell/platform/platform-messages';
import { PlainPromptForm, PromptForm } from '~/studio/prompt-form';
import { SignedOutPanel } from '~/shell/platform/signed-out-panel';
import { toast, Toaster } from '~/ui/toast';
import { useUser } from '~/shell/platform/user-state';
import { checkPlatformUser, refusalOf } from '~/platform/platform.server';
import { toSafeProfile } from '~/platform/profile';
import type { PlatformErrorCode } from '~/platform/error-codes';
import { createPlatformSdk } from '~/platform/sdk/sdk.server';
import { PlatformSdkError, submissionSchema } from '~/platform/sdk/port.server';
import type { RouteHandle } from '~/route-handle';

export const meta: MetaFunction = () => [{ title: titleOf('Studio') }];

/** The limit: signed out too the form is read, so that its words can go back: a prompt at its longest has room, no more. */
export const handle = { access: 'platform', body: 32 * 1024 } satisfies RouteHandle;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const guard = await checkPlatformUser(context);
  const cursor = new URL(request.url).searchParams.get('cursor') ?? '';
  if (!guard.ok) return { feed: null, error: null, person: '', cursor };

  const person = toSafeProfile(guard.user).key;
  try {
    const feed = await createPlatformSdk(guard).listGenerations({ cursor });
    return { feed, error: null, person, cursor };
  } catch (error) {
    if (!(error instanceof PlatformSdkError)) throw error;
    return { feed: null, error: error.code, person, cursor };
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  // Remix brings every unsafe method here.
  if (request.method !== 'POST') {
    throw new Response(null, { status: 405, headers: { allow: 'GET, HEAD, POST' } });
  }
  const guard = await checkPlatformUser(context);
  const form = await request.formData().catch(() => null);
  // The one field it knows. Others are not its own, and a name such as `a[9999999]` is costly to read.
  const own = new FormData();
  const words = form?.getAll('prompt') ?? [];
  if (words.length === 1 && typeof words[0] === 'string') own.set('prompt', words[0]);
  const submission = parseWithZod(own, { schema: submissionSchema });

  // A typed refusal (W11). The visitor's words go back with it, so that they are not lost.
  const refused = (code: PlatformErrorCode, status: number) =>
    data(
      {
        ok: false as const,
        code,
        result: submission.reply({ formErrors: [platformMessages[code]] }),
      },
      { status },
    );
  if (!guard.ok) {
    const { code, status } = refusalOf(guard);
    return refused(code, status);
  }
  if (!form) throw new Response(null, { status: 400 });
  // The page was loaded by somebody else, who signed out meanwhile: their words are not this one's.
  const account = form.get('account');
  if (account !== null && account !== toSafeProfile(guard.user).key) {
    return refused('account_changed', 409);
  }
  if (submission.status !== 'success') {
    return data({ ok: false as const, code: null, result: submission.reply() }, { status: 422 });
  }

  try {
    await createPlatformSdk(guard).submitGeneration(submission.value);
  } catch (error) {
    if (!(error instanceof PlatformSdkError)) throw error;
    return refused(error.code, error.status);
  }
  // Without a script, a redirect keeps a reload from asking for the picture again.
  if (context.kind !== 'data') return redirect('/studio', 303);
  return data({ ok: true as const, result: submission.reply({ resetForm: true }) });
}

export default function Studio() {
  const { feed, error, person, cursor } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { view, refresh } = useUser();
  const usable = view.status === 'signed-in';

  useEffect(() => {
    if (answer?.ok) toast.success('Your picture is on its way.');
    else if (answer?.code === 'unauthorized' || answer?.code === 'account_changed') refresh();
  }, [answer, refresh]);

  return (
    <div className="grid gap-10">
      <h1 className="font-display text-4xl">Studio</h1>

      {view.status === 'signed-out' && <SignedOutPanel title="Sign in to make pictures" />}
      {view.status === 'unavailable' && <PlatformLost />}

      <Card className="p-5 sm:p-6">
        <div className="noscript:hidden">
          <PromptForm
            usable={usable}
            lost={view.status === 'unavailable'}
            account={person}
            credits={view.status === 'signed-in' ? view.profile.credits : null}
            lastResult={answer?.result}
          />
        </div>
        <noscript>
          {view.status === 'signed-out' ? (
            <SignInFirst lastResult={answer?.result} />
          ) : (
            <PlainPromptForm account={person} lastResult={answer?.result} />
          )}
        </noscript>
      </Card>

      {(view.status === 'signed-in' || view.status === 'checking') && (
        <Feed
          key={`${person} ${cursor}`}
          feed={feed}
          error={error}
          older={Boolean(cursor)}
          usable={usable}
        />
      )}
      <Toaster />
    </div>
  );
}

/** Without a script. Words whose session ended meanwhile are shown, to be taken along. */
function SignInFirst({ lastResult }: { lastResult: SubmissionResult | undefined }) {
  const words = lastResult?.initialValue?.['prompt'];
  return (
    <div className="grid gap-3">
      <p className="text-muted">Sign in, and the form is here.</p>
      {typeof words === 'string' && (
        <p className="wrap-anywhere whitespace-pre-line">Your words were: {words}</p>
      )}
    </div>
  );
}
