/** The account's sessions, and ending them. */
import { Form } from '@remix-run/react';
import type { SessionRow } from '@gatehouse/accounts';
import { Button, type ButtonProps } from '~/ui/button';
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
              <PostButton
                fields={{ intent: 'end-session', account: owner, session: id }}
                size="small"
                aria-describedby={`browser-${id}`}
              >
                End
              </PostButton>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <PostButton fields={{ intent: 'end-others', account: owner }}>
          End all other sessions
        </PostButton>
      )}
    </>
  );
}

/** A form of hidden fields. */
function PostButton({ fields, ...props }: ButtonProps & { fields: Record<string, string> }) {
  return (
    <Form method="post">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button {...props} type="submit" tone="secondary" />
    </Form>
  );
}
