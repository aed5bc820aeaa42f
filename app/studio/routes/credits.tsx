/** The visitor's credits: balance, charts and history. */
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { titleOf } from '~/site.config';
import type { HandleWithTools } from '~/route-handle';
import { createPlatformSdk, requirePlatformUser } from '~/platform.server';
import type { CreditEntry, CreditHistory } from '~/platform/credits/credits';
import { refusalIn } from '@gatehouse/platform/server';
import { platformMessages } from '~/shell/platform/platform-messages';
import { buttonLook } from '~/ui/button';
import { Card } from '~/ui/card';
import { Pages } from '~/ui/pages';
import { Table, type Column } from '~/ui/table';
import { Toaster } from '~/ui/toast';
import { CreditCharts } from '../credits/credit-charts';
import { formatCredits } from '../format-credits';
import { AccountTools } from '../workspaces/account-tools';
import { withinDeadline } from '../within-deadline.server';

export const meta: MetaFunction = () => [{ title: titleOf('Credits') }];

export const handle = {
  access: 'platform',
  signedOut: { title: 'Sign in to see your credits' },
  tools: AccountTools,
} satisfies HandleWithTools;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const guard = await requirePlatformUser({ request, context });
  const cursor = new URL(request.url).searchParams.get('cursor') ?? '';
  const nothing = { history: null, error: null, workspaces: null, older: cursor !== '' };
  try {
    const [history, workspaces] = await Promise.all([
      createPlatformSdk(guard)
        .credits.history({ cursor })
        .catch((error: unknown) => refusalIn(error).code),
      withinDeadline(guard, (sdk) => sdk.workspaces.list()),
    ]);
    return typeof history === 'string'
      ? { ...nothing, error: history, workspaces }
      : { ...nothing, history, workspaces };
  } catch (error) {
    return { ...nothing, error: refusalIn(error).code };
  }
}

export default function Credits() {
  const { history, error, older } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-8">
      <h1 className="font-display text-4xl">Credits</h1>
      {error && (
        <Card role="status" tone="danger" className="flex flex-wrap items-center gap-4 p-5">
          <p className="text-danger">{platformMessages[error]}</p>
          <a className={buttonLook({ tone: 'secondary', size: 'small' })} href="/credits">
            Try again
          </a>
        </Card>
      )}
      {history && <History history={history} older={older} />}
      <Toaster />
    </div>
  );
}

function History({ history, older }: { history: CreditHistory; older: boolean }) {
  const { balance, days, entries, nextCursor } = history;
  return (
    <>
      <Card className="grid gap-8 p-5 sm:p-6">
        <p>
          <span className="font-display text-4xl tabular-nums">{balance}</span>{' '}
          <span className="text-muted">{balance === 1 ? 'credit' : 'credits'} left</span>
        </p>
        <CreditCharts days={days} />
      </Card>
      <section aria-labelledby="entries-title" className="grid gap-4">
        <h2 id="entries-title" className="font-display text-2xl">
          Transactions
        </h2>
        {entries.length === 0 && <p className="text-muted">Nothing yet.</p>}
        {entries.length > 0 && (
          <Table label="Transactions" columns={columns} rows={entries} keyOf={({ id }) => id} />
        )}
        <Pages label="Pages of transactions" isFirst={!older} nextCursor={nextCursor} />
      </section>
    </>
  );
}

const reasons: Record<CreditEntry['reason'], string> = {
  generation: 'Generated',
  refund: 'Refunded',
  grant: 'Received',
};

/** In UTC, so that server and browser render the same. */
const moment = new Intl.DateTimeFormat('en', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

const columns: Column<CreditEntry>[] = [
  { head: 'What', cell: ({ reason }) => reasons[reason] },
  { head: 'When', cell: ({ at }) => <time dateTime={at}>{moment.format(new Date(at))}</time> },
  {
    head: 'Change',
    isNumber: true,
    cell: ({ change }) => `${change > 0 ? '+' : '−'}${formatCredits(Math.abs(change))}`,
  },
  { head: 'Left', isNumber: true, cell: ({ balance }) => balance },
];
