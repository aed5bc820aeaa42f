/**
 * A page that requires a platform account (W15): its loader redirects signed-out visitors to
 * sign-in.
 */
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { SignOutButton } from '~/shell/platform/auth-buttons';
import type { RouteHandle } from '~/route-handle';
import platform from '~/shell/platform/feature';
import { titleOf } from '~/site.config';
import { Card } from '~/ui/card';
import { requirePlatformUser } from '~/platform.server';
import { toSafeProfile } from '@gatehouse/platform';

export const handle = {
  access: 'platform',
  signedOut: { title: 'Sign in to see your account' },
} satisfies RouteHandle;

const { name } = platform.identity;

export const meta: MetaFunction = () => [{ title: titleOf(name) }];

export async function loader(args: LoaderFunctionArgs) {
  const { user } = await requirePlatformUser(args);
  return { profile: toSafeProfile(user) };
}

export default function Account() {
  const { profile } = useLoaderData<typeof loader>();
  const rows = [
    ['Name', profile.displayName],
    ['Email', profile.email],
    ['Plan', profile.plan],
    ['Credits', profile.credits],
  ] as const;
  return (
    <div className="grid gap-8">
      <h1 className="font-display text-4xl">{name}</h1>
      <Card className="max-w-xl p-6">
        {rows.every(([, value]) => value === null) && (
          <p className="text-muted">The platform shares no details about this account.</p>
        )}
        <dl className="grid gap-4">
          {rows.map(
            ([name, value]) =>
              value !== null && (
                <div
                  key={name}
                  className="border-line grid gap-1 border-b pb-4 last:border-0 last:pb-0"
                >
                  <dt className="text-muted text-sm">{name}</dt>
                  <dd className="wrap-anywhere">{value}</dd>
                </div>
              ),
          )}
        </dl>
      </Card>
      <div className="flex flex-wrap items-center gap-4">
        <SignOutButton tone="secondary" />
        <p className="text-muted text-sm">This account is managed on the platform.</p>
      </div>
    </div>
  );
}
