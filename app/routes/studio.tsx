/** The studio: ask for a picture, watch it come, keep it. */
import type { SubmissionResult } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { data, redirect } from '@remix-run/node';
import {
  Link,
  useActionData,
  useLoaderData,
  useNavigation,
  useRevalidator,
} from '@remix-run/react';
import { useEffect } from 'react';
import { Button } from '~/components/button';
import { Card } from '~/components/card';
import { GenerationCard } from '~/components/generation-card';
import { platformMessages } from '~/components/platform-messages';
import { PlainPromptForm, PromptForm } from '~/components/prompt-form';
import { SignedOutPanel } from '~/components/signed-out-panel';
import { toast, Toaster } from '~/components/toast';
import { useUser, type UserView } from '~/components/user-state';
import { checkPlatformUser } from '~/platform/platform.server';
import { isPending, type PlatformErrorCode } from '~/platform/sdk';
import { createPlatformSdk } from '~/platform/sdk.server';
import { PlatformSdkError, submissionSchema } from '~/platform/sdk-port.server';

export const meta: MetaFunction = () => [{ title: 'Studio · Gatehouse' }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const guard = await checkPlatformUser(context);
  if (!guard.ok) return { feed: null, error: null };

  const cursor = new URL(request.url).searchParams.get('cursor') ?? undefined;
  try {
    return { feed: await createPlatformSdk(guard).listGenerations({ cursor }), error: null };
  } catch (error) {
    if (!(error instanceof PlatformSdkError)) throw error;
    return { feed: null, error: error.code };
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  // Remix brings every unsafe method here.
  if (request.method !== 'POST') {
    throw new Response(null, { status: 405, headers: { allow: 'GET, HEAD, POST' } });
  }
  const guard = await checkPlatformUser(context);
  const form = await request.formData().catch(() => null);
  const submission = parseWithZod(form ?? new FormData(), { schema: submissionSchema });

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
    return guard.status === 401
      ? refused('unauthorized', 401)
      : refused('upstream_unavailable', guard.status < 400 ? 502 : guard.status);
  }
  if (!form) throw new Response(null, { status: 400 });
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
  const { feed, error } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { view, refresh } = useUser();
  const usable = view.status === 'signed-in';
  const waiting = usable && (feed?.items.some(isPending) ?? false);

  useEffect(() => {
    if (answer?.ok) toast.success('Your picture is on its way.');
    else if (answer?.code === 'unauthorized') refresh();
  }, [answer, refresh]);
  useFeedUpdates(waiting);

  return (
    <div className="grid gap-10">
      <header className="grid gap-2">
        <h1 className="font-display text-4xl">Studio</h1>
        <Credits view={view} />
      </header>

      {view.status === 'signed-out' && <SignedOutPanel />}
      {view.status === 'unavailable' && <PlatformLost />}

      <Card className="p-5 sm:p-6">
        <div className="noscript:hidden">
          <PromptForm usable={usable} lastResult={answer?.result} />
        </div>
        <noscript>
          {view.status === 'signed-out' ? (
            <SignInFirst lastResult={answer?.result} />
          ) : (
            <PlainPromptForm lastResult={answer?.result} />
          )}
        </noscript>
      </Card>

      {(view.status === 'signed-in' || view.status === 'checking') && (
        <section aria-labelledby="feed-title" className="grid gap-5">
          <div className="flex items-center justify-between gap-4">
            <h2 id="feed-title" className="font-display text-2xl">
              Your pictures
            </h2>
            <noscript>
              <Button asChild tone="secondary" size="small">
                <a href="/studio">Look again</a>
              </Button>
            </noscript>
          </div>
          {error && <p className="text-danger">{platformMessages[error]}</p>}
          {feed?.items.length === 0 && (
            <p className="text-muted">Nothing yet. Your first picture will be here.</p>
          )}
          <ul className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
            {feed?.items.map((generation) => (
              <li key={generation.id} className="grid">
                <GenerationCard generation={generation} usable={usable} />
              </li>
            ))}
          </ul>
          {feed?.nextCursor && (
            <Button asChild tone="secondary" className="justify-self-center">
              <Link to={`?cursor=${encodeURIComponent(feed.nextCursor)}`}>Older pictures</Link>
            </Button>
          )}
        </section>
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

function Credits({ view }: { view: UserView }) {
  if (view.status !== 'signed-in' || view.profile.credits === null) return null;
  return <p className="text-muted">Credits left: {view.profile.credits}</p>;
}

function PlatformLost() {
  return (
    <Card role="status" tone="danger" className="p-5">
      <p className="text-danger">{platformMessages.upstream_unavailable}</p>
    </Card>
  );
}

/** Asks for the feed again each second while a picture in it is on its way and the page is in view. */
function useFeedUpdates(waiting: boolean) {
  const { revalidate, state } = useRevalidator();
  const navigation = useNavigation();
  const idle = state === 'idle' && navigation.state === 'idle';
  useEffect(() => {
    if (!waiting || !idle) return;
    const timer = window.setInterval(() => {
      if (document.visibilityState === 'visible') revalidate();
    }, 1_000);
    return () => {
      window.clearInterval(timer);
    };
  }, [waiting, idle, revalidate]);
}
