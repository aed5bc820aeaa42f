/**
 * The form for ordering pictures and clips. Enabled once the browser has confirmed who the visitor
 * is.
 */
import type { SubmissionResult } from '@conform-to/react';
import { Form } from '@remix-run/react';
import { Plus, Sparkles } from 'lucide-react';
import { useEffect, useRef, useState, type Dispatch, type SyntheticEvent } from 'react';
import { isBlank } from '@gatehouse/frame';
import { promptsMax, referencesMax, type Estimate } from '~/platform/generations/generations';
import { Button } from '~/ui/button';
import { Choice } from '~/ui/choice';
import { FileDrop } from '~/ui/file-drop';
import { useDraft } from '@gatehouse/frame/react';
import { useUser } from '@gatehouse/platform/react';
import { formatCredits } from '../format-credits';
import type { OrderResult } from '../order-result';
import { useVisit } from '../visit';
import {
  parseOrder,
  serializeOrder,
  writtenPrompts,
  type OrderChange,
  type OrderDraft,
} from './order-draft';
import { formats, kinds } from './order-choices';
import { PromptField } from './prompt-field';
import { AddReference, ReferenceList } from './reference-list';
import { useEstimate } from './use-estimate';
import { useReferences } from './use-references';

export interface ComposeFormProps {
  order: OrderDraft;
  change: Dispatch<OrderChange>;
  /** Why nothing can be ordered in this workspace, if so. */
  closed: string | null;
  /** The estimate for an untouched form; null if unknown. */
  estimate: Estimate | null;
  /** Whether an order is being submitted. */
  sending: boolean;
  /** The last order's result. */
  result: OrderResult | undefined;
}

export function ComposeForm(props: ComposeFormProps) {
  const { order, change, closed, sending, result } = props;
  const { usable, account, workspace: { credits = null } = {}, workspaceId } = useVisit();
  const { view } = useUser();
  const { prompts, kind, aspectRatio, references } = order;
  const form = useRef<HTMLFormElement>(null);
  const key = useRef<HTMLInputElement>(null);
  const [blank, setBlank] = useState(false);
  const { errors, hide } = useErrors(result?.result);

  const edit = (edited: OrderChange) => {
    hide();
    setBlank(false);
    change(edited);
  };
  const { attach, detach } = useReferences(references, change, {
    account,
    workspace: workspaceId,
    usable,
  });

  useDraft('studio', usable, account, {
    kind: 'platform',
    read: () => serializeOrder(order),
    restore: (kept) => {
      change({ type: 'fill', order: parseOrder(kept) });
    },
    clear: () => {
      change({ type: 'clear' });
    },
  });

  useEffect(() => {
    if (result?.ok) change({ type: 'sent' });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once per response
  }, [result]);

  // The form was filled from elsewhere on the page: move focus to it.
  const { filled } = order;
  useEffect(() => {
    if (filled > 0) form.current?.querySelector('textarea')?.focus();
  }, [filled]);

  const where = useRef(workspaceId);
  useEffect(() => {
    if (where.current && workspaceId && where.current !== workspaceId) change({ type: 'moved' });
    if (workspaceId) where.current = workspaceId;
  }, [workspaceId, change]);

  const [begun, setBegun] = useState(usable);
  // While the platform does not respond, typing can continue, and sending works once it is back.
  const open = usable || (view.status === 'unavailable' && begun);
  if (open !== begun) setBegun(open);

  const written = writtenPrompts(order);
  const uploading = references.some(({ media, problem }) => !media && !problem);
  const size = {
    kind,
    aspectRatio,
    count: Math.max(1, written.length),
    references: references.length,
    workspace: workspaceId,
  };
  const cost = useEstimate(
    usable && account && !closed ? size : null,
    `${credits} ${view.status === 'signed-in' ? view.profile.credits : null}`,
    props.estimate,
  );
  const { estimate } = cost;
  const obstacle = !usable
    ? null
    : (closed ??
      (references.some(({ problem }) => problem)
        ? 'Remove the reference that failed to upload.'
        : uploading
          ? 'Waiting for uploads to finish.'
          : estimate && !estimate.covered
            ? `This costs ${formatCredits(estimate.total)}, and you have ${estimate.balance}.`
            : null));

  const send = (event: SyntheticEvent) => {
    // Read-only rather than disabled while submitting: a disabled field loses focus.
    if (sending || obstacle) event.preventDefault();
    else if (written.length === 0) {
      event.preventDefault();
      setBlank(true);
      form.current?.querySelector('textarea')?.focus();
    } else if (key.current) {
      key.current.value = order.key || crypto.randomUUID();
      change({ type: 'send', key: key.current.value });
    }
  };

  return (
    <FileDrop disabled={!usable || sending} onFiles={attach} hint="Drop to use as references">
      <Form ref={form} method="post" action="/studio" id="compose" noValidate onSubmit={send}>
        <fieldset disabled={!open} className="grid gap-6">
          <input type="hidden" name="account" value={account} />
          <input type="hidden" name="workspace" value={workspaceId} />
          <input type="hidden" name="key" ref={key} />
          <div className="grid gap-4">
            {prompts.map((prompt, index) => (
              <PromptField
                key={prompt.key}
                prompt={prompt}
                index={index}
                count={prompts.length}
                readOnly={sending}
                errors={
                  blank && index === 0
                    ? ['Describe what you want to see.']
                    : errors(`prompts[${writtenBefore(order, index)}]`)
                }
                change={edit}
              />
            ))}
            {prompts.length < promptsMax && (
              <Button
                tone="quiet"
                size="small"
                className="justify-self-start"
                onClick={() => {
                  edit({ type: 'add' });
                }}
              >
                <Plus aria-hidden />
                Add a prompt
              </Button>
            )}
          </div>
          <div className="flex flex-wrap gap-x-8 gap-y-4">
            <Choice
              name="kind"
              legend="Make"
              value={kind}
              onChange={(value) => {
                edit({ type: 'choose', kind: value });
              }}
              options={kinds}
            />
            <Choice
              name="aspectRatio"
              legend="Format"
              value={aspectRatio}
              onChange={(value) => {
                edit({ type: 'choose', aspectRatio: value });
              }}
              options={formats}
            />
          </div>
          <ReferenceList references={references} detach={detach} disabled={sending}>
            {references.length < referencesMax && (
              <AddReference onFiles={attach} disabled={sending} />
            )}
          </ReferenceList>
          <div className="grid gap-3">
            <Problem>
              {[...errors('prompts'), ...errors('references'), ...errors('')].join(' ')}
            </Problem>
            <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
              <Button
                type="submit"
                disabled={!usable || obstacle !== null}
                aria-disabled={sending || undefined}
                aria-describedby="generate-note"
              >
                <Sparkles aria-hidden />
                {sending ? 'Sending…' : labelOf(estimate)}
              </Button>
              <p id="generate-note" aria-live="polite" className="text-muted min-w-0 text-sm">
                {obstacle ?? cost.problem ?? noteOf(estimate, written.length)}
              </p>
            </div>
          </div>
        </fieldset>
      </Form>
    </FileDrop>
  );
}

/** Always rendered: screen readers ignore a live region that is inserted together with its text. */
function Problem({ children }: { children: string }) {
  return (
    <p role="alert" className="text-danger text-sm font-medium empty:hidden">
      {children}
    </p>
  );
}

/**
 * The last response's errors, until the visitor edits something. Kept in state, because Remix drops
 * action data on revalidation.
 */
function useErrors(lastResult: SubmissionResult | null | undefined) {
  const [last, setLast] = useState(lastResult);
  const [hidden, setHidden] = useState(false);
  if (lastResult && lastResult !== last) {
    setLast(lastResult);
    setHidden(false);
  }
  return {
    errors: (name: string): string[] => (hidden ? [] : (last?.error?.[name] ?? [])),
    hide: () => {
      setHidden(true);
    },
  };
}

/** A prompt's index among those that are sent: blank ones are omitted. */
function writtenBefore({ prompts }: OrderDraft, index: number): number {
  return prompts.slice(0, index).filter(({ text }) => !isBlank(text)).length;
}

function labelOf(estimate: Estimate | null): string {
  return estimate ? `Generate · ${formatCredits(estimate.total)}` : 'Generate';
}

function noteOf(estimate: Estimate | null, count: number): string {
  if (!estimate) return '';
  const each = count > 1 ? `${count} × ${formatCredits(estimate.each)}. ` : '';
  return `${each}You have ${formatCredits(estimate.balance)}.`;
}
