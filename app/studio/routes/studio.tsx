/** The studio: orders pictures and clips, and shows their progress and results. */
import { randomUUID } from 'node:crypto';
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { data, redirect } from '@remix-run/node';
import { useActionData, useLoaderData, useNavigation } from '@remix-run/react';
import { useEffect, useReducer } from 'react';
import { titleOf } from '~/site.config';
import { Card } from '~/ui/card';
import { PlatformLost } from '~/shell/platform/platform-lost';
import { platformMessages } from '~/shell/platform/platform-messages';
import { SignedOutPanel } from '~/shell/platform/signed-out-panel';
import { toast, Toaster } from '~/ui/toast';
import { useRefusal, useUser } from '@gatehouse/platform/react';
import { checkPlatformUser, createPlatformSdk } from '~/platform.server';
import { refusalIn, refusalOf, requireSameAccount } from '@gatehouse/platform/server';
import { type PlatformErrorCode, toSafeProfile } from '@gatehouse/platform';
import { promptMaxLength, promptsMax } from '~/platform/generations/generations';
import type { Workspace } from '~/platform/workspaces/workspaces';
import { formBytes } from '@gatehouse/frame';
import type { HandleWithTools } from '~/route-handle';
import { ComposeForm } from '../compose/compose-form';
import { changeOrder, draftOf, emptyOrder } from '../compose/order-draft';
import { formKeyOf, formWorkspaceOf, orderKeyOf, readOrder } from '../compose/order-form.server';
import { PlainForm, wordsOf } from '../compose/plain-form';
import { Feed } from '../feed/feed';
import { feedViewOf } from '../feed/feed-filter';
import { plainSize } from '../compose/use-estimate';
import type { OrderResult } from '../order-result';
import { useAccount } from '../use-account';
import { VisitProvider } from '../visit';
import { withinDeadline } from '../within-deadline.server';
import { AccountTools } from '../workspaces/account-tools';
import { useFeedOf } from '../workspaces/use-feed-of';
import { useWorkspaces } from '../workspaces/use-workspaces';

export const meta: MetaFunction = () => [{ title: titleOf('Studio') }];

/**
 * `body`: a signed-out visitor's form is read too, so that the prompts can be returned. It fits the
 * longest allowed prompts, and no more.
 */
export const handle = {
  access: 'platform',
  signedOut: 'page',
  body: promptsMax * promptMaxLength * formBytes + 16 * 1024,
  tools: AccountTools,
} satisfies HandleWithTools;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const guard = await checkPlatformUser(context);
  const view = feedViewOf(new URL(request.url).searchParams);
  const nothing = {
    feed: null,
    error: null,
    workspaces: null,
    estimate: null,
    person: '',
    orderKey: '',
    view,
  };
  if (!guard.ok) return nothing;

  const page = { ...nothing, person: toSafeProfile(guard.user).key, orderKey: randomUUID() };
  try {
    const [feed, workspaces, estimate] = await Promise.all([
      createPlatformSdk(guard)
        .generations.list(view)
        .catch((error: unknown) => refusalIn(error).code),
      withinDeadline(guard, (sdk) => sdk.workspaces.list()),
      withinDeadline(guard, (sdk) => sdk.generations.estimate(plainSize)),
    ]);
    return typeof feed === 'string'
      ? { ...page, error: feed, workspaces, estimate }
      : { ...page, feed, workspaces, estimate };
  } catch (error) {
    return { ...page, error: refusalIn(error).code };
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  // Remix routes every method but GET and HEAD here.
  if (request.method !== 'POST') {
    throw new Response(null, { status: 405, headers: { allow: 'GET, HEAD, POST' } });
  }
  const guard = await checkPlatformUser(context);
  const form = await request.formData().catch(() => null);
  const submission = readOrder(form ?? new FormData());
  const key = formKeyOf(form ?? new FormData());

  // A typed refusal (W11), which returns the prompts so that they are not lost.
  const refused = ({ code, status }: { code: PlatformErrorCode; status: number }) => {
    const result = submission.reply({ formErrors: [platformMessages[code]] });
    return data<OrderResult>({ ok: false, code, key, result }, { status });
  };
  if (!guard.ok) return refused(refusalOf(guard));
  if (!form) throw new Response(null, { status: 400 });
  try {
    const workspace = formWorkspaceOf(form);
    // Refuses a profile of nobody (W08) first, whose key is no other account's.
    const { generations } = createPlatformSdk(guard, { workspace });
    requireSameAccount(toSafeProfile(guard.user), form);
    if (submission.status !== 'success') {
      const result = submission.reply();
      return data<OrderResult>({ ok: false, code: null, key, result }, { status: 422 });
    }
    const idempotencyKey = orderKeyOf(key, submission.value, workspace);
    await generations.submit(submission.value, { idempotencyKey });
  } catch (error) {
    return refused(refusalIn(error));
  }
  // Without JavaScript, redirecting prevents a reload from ordering again.
  if (context.kind !== 'data') return redirect('/studio', 303);
  const count = submission.value.prompts.length;
  return data<OrderResult>({ ok: true, count, result: submission.reply({ resetForm: true }) });
}

export default function Studio() {
  const {
    feed: loadedFeed,
    error,
    person,
    view: feedView,
    workspaces: loadedWorkspaces,
    estimate,
    orderKey,
  } = useLoaderData<typeof loader>();
  const result = useActionData<OrderResult>();
  const { view } = useUser();
  const navigation = useNavigation();
  const [order, change] = useReducer(changeOrder, emptyOrder);
  const usable = view.status === 'signed-in';
  const isLost = view.status === 'unavailable';
  const account = useAccount(person, view);
  const { workspaces, next } = useWorkspaces(loadedWorkspaces, account);
  useRefusal(result?.ok ? null : result);

  useEffect(() => {
    if (!result?.ok) return;
    toast.success(result.count === 1 ? 'Submitted.' : `${result.count} submitted.`);
  }, [result]);

  const sent = navigation.formMethod === 'POST' ? navigation.formData : undefined;
  const workspace = workspaces?.items.find(({ id }) => id === workspaces.chosen);
  const workspaceId = workspace?.id ?? '';
  const feed = useFeedOf(workspaceId, loadedFeed);
  // After a switch, until the next load.
  const isOfPrevious = loadedWorkspaces !== null && loadedWorkspaces.chosen !== workspaceId;
  const visit = { usable, account, workspace };

  return (
    <div className="grid gap-10">
      <h1 className="font-display text-4xl">Studio</h1>

      {view.status === 'signed-out' && (
        <SignedOutPanel title="Sign in to generate pictures and clips" />
      )}
      {isLost && <PlatformLost />}

      <Card className="p-5 sm:p-6">
        <div className="noscript:hidden">
          <VisitProvider value={visit}>
            <ComposeForm
              order={order}
              change={change}
              closed={
                next === null ? closedReasonOf(workspace) : 'Waiting for the workspace to change.'
              }
              estimate={isOfPrevious ? null : estimate}
              sending={sent !== undefined}
              result={result}
            />
          </VisitProvider>
        </div>
        <noscript>
          {view.status === 'signed-out' ? (
            <SignInFirst words={wordsOf(result?.result)} />
          ) : (
            <PlainForm
              account={person}
              workspace={workspaceId}
              orderKey={result?.ok === false ? result.key : orderKey}
              lastResult={result?.result}
            />
          )}
        </noscript>
        <p className="mt-4 text-sm">
          {/* A plain link: the file is public and needs no session. */}
          <a href="/sample-prompts.csv" className="text-muted underline underline-offset-4">
            Sample prompts (CSV)
          </a>
        </p>
      </Card>

      {(usable || view.status === 'checking' || account) && (
        <VisitProvider value={{ ...visit, usable: usable && next === null }}>
          <Feed
            key={JSON.stringify([account, workspaceId, feedView])}
            feed={feed}
            error={error}
            view={feedView}
            sending={sent?.getAll('prompt').map(String) ?? []}
            onReuse={(generation) => {
              change({ type: 'fill', order: draftOf(generation) });
            }}
          />
        </VisitProvider>
      )}
      <Toaster />
    </div>
  );
}

/** Why nothing can be ordered in a workspace; null if something can. */
function closedReasonOf(workspace: Workspace | undefined): string | null {
  return workspace?.canGenerate === false
    ? `You can view ${workspace.name}, but not generate in it.`
    : null;
}

/**
 * For browsers without JavaScript. Shows the prompt of an expired session, so that it can be
 * copied.
 */
function SignInFirst({ words }: { words: string }) {
  return (
    <div className="grid gap-3">
      <p className="text-muted">Sign in to use this form.</p>
      {words && (
        <p dir="auto" className="wrap-anywhere whitespace-pre-line">
          Your prompt: {words}
        </p>
      )}
    </div>
  );
}
