/** The account's sessions, and ending them. */
import { Form } from '@remix-run/react';
import type { SessionRow } from '@gatehouse/accounts';
import { Button } from '~/ui/button';
import { When } from '~/ui/when';

export interface SessionListProps {
  sessions: readonly SessionRow[];
  /** This browser's session. */
  current: string;
  /** The account's id. */
  owner: string;
}

export function SessionList({ sessions, current, owner }: SessionListProps) {
  return (
    <>
      <ul className="divide-line divide-y">
        {sessions.map(({ id, browser, signedInAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
            <div>
              <p className="font-medium">
                <span id={`browser-${id}`}>{browser}</span>
                {id === current && <span className="text-muted font-normal"> · this browser</span>}
              </p>
              <p className="text-muted text-sm">
                Signed in <When at={signedInAt} />
              </p>
            </div>
            {id !== current && (
              <Form method="post">
                <input type="hidden" name="intent" value="end-session" />
                <input type="hidden" name="account" value={owner} />
                <input type="hidden" name="session" value={id} />
                <Button
                  type="submit"
                  tone="secondary"
                  size="small"
                  aria-describedby={`browser-${id}`}
                >
                  End
                </Button>
              </Form>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <Form method="post">
          <input type="hidden" name="intent" value="end-others" />
          <input type="hidden" name="account" value={owner} />
          <Button type="submit" tone="secondary">
            End all other sessions
          </Button>
        </Form>
      )}
    </>
  );
}
