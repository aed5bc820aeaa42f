/** A generation in the feed: pending, succeeded, failed or canceled. */
import { Ban, CircleSlash, ImageOff, Maximize2, SquarePen, Trash2 } from 'lucide-react';
import { useId } from 'react';
import { truncate } from '@gatehouse/frame';
import { isPending, type Generation } from '~/platform/generations/generations';
import { DownloadButton } from '~/shell/download-button';
import { Button, type ButtonProps } from '~/ui/button';
import { Card } from '~/ui/card';
import { Picture } from '~/ui/picture';
import { Progress } from '~/ui/progress';
import { formatCredits } from '../format-credits';
import { useVisit } from '../visit';
import { failureMessages } from '~/platform/generations/error-messages';
import { Clip } from './clip';
import { RetryButton } from './retry-button';

/** What can be done with a generation. */
export interface CardActions {
  select: (generation: Generation, isSelected: boolean) => void;
  view: (generation: Generation) => void;
  cancel: (generation: Generation) => void;
  /** Fills the compose form with its order. */
  reuse: (generation: Generation) => void;
  remove: (generation: Generation) => void;
}

export interface GenerationCardProps {
  generation: Generation;
  isSelected: boolean;
  /** Whether a request to cancel it is under way. */
  isCanceling: boolean;
  /** Whether an order is being sent: the compose form must keep it until it is accepted. */
  isSending: boolean;
  actions: CardActions;
}

export function GenerationCard(props: GenerationCardProps) {
  const { generation, isSelected, isCanceling, isSending, actions } = props;
  const { usable, account, workspaceId } = useVisit();
  const { prompt, kind, output } = generation;
  const nameId = useId();
  const control = { disabled: !usable, 'aria-describedby': nameId };
  return (
    <Card className="has-checked:border-accent flex grow flex-col overflow-hidden">
      <div className="bg-sunken text-muted relative grid aspect-square min-h-0 place-items-center overflow-hidden">
        <Preview generation={generation} />
        {output && (
          <label className="bg-surface border-line-strong absolute top-2 left-2 grid size-9 cursor-pointer place-items-center rounded-full border has-disabled:opacity-50 noscript:hidden">
            <span className="sr-only">Select {shortPrompt(prompt)}</span>
            <input
              type="checkbox"
              className="accent-accent size-4"
              checked={isSelected}
              disabled={!usable}
              onChange={({ target }) => {
                actions.select(generation, target.checked);
              }}
            />
          </label>
        )}
      </div>
      <div className="flex grow flex-col gap-3 p-4">
        <h3
          id={nameId}
          dir="auto"
          className="line-clamp-2 font-medium wrap-anywhere whitespace-pre-line"
        >
          {prompt}
        </h3>
        {/* The same height before and after the picture loads, to prevent a layout shift. */}
        <div className="mt-auto grid min-h-17 content-end gap-3">
          <State generation={generation} />
          <div className="flex flex-wrap items-center gap-x-1 gap-y-2 noscript:hidden">
            {output && <DownloadButton url={output.url} filename={output.filename} {...control} />}
            {isPending(generation) ? (
              <Button
                tone="secondary"
                size="small"
                {...control}
                // Not disabled, which would lose the focus: repeats are ignored.
                aria-disabled={isCanceling || undefined}
                onClick={() => {
                  actions.cancel(generation);
                }}
              >
                <Ban aria-hidden />
                {isCanceling ? 'Canceling…' : 'Cancel'}
              </Button>
            ) : (
              <>
                {!output && (
                  <RetryButton
                    generation={generation}
                    account={account}
                    workspace={workspaceId}
                    {...control}
                  />
                )}
                <span className="-mr-2 ml-auto flex">
                  {output && kind === 'picture' && (
                    <IconButton
                      label="View"
                      {...control}
                      data-view={generation.id}
                      onClick={() => {
                        actions.view(generation);
                      }}
                    >
                      <Maximize2 aria-hidden />
                    </IconButton>
                  )}
                  <IconButton
                    label="Reuse"
                    {...control}
                    disabled={!usable || isSending}
                    onClick={() => {
                      actions.reuse(generation);
                    }}
                  >
                    <SquarePen aria-hidden />
                  </IconButton>
                  <IconButton
                    label="Delete"
                    {...control}
                    onClick={() => {
                      actions.remove(generation);
                    }}
                  >
                    <Trash2 aria-hidden />
                  </IconButton>
                </span>
              </>
            )}
          </div>
        </div>
      </div>
    </Card>
  );
}

/** An order that is being submitted. */
export function SendingCard({ prompt }: { prompt: string }) {
  return (
    <Card className="flex grow flex-col overflow-hidden opacity-70">
      <div className="bg-sunken text-muted grid aspect-square place-items-center">
        <Underway>Sending</Underway>
      </div>
      <h3 dir="auto" className="line-clamp-2 p-4 font-medium wrap-anywhere whitespace-pre-line">
        {prompt}
      </h3>
    </Card>
  );
}

function IconButton({ label, ...props }: ButtonProps & { label: string; 'data-view'?: string }) {
  return <Button tone="quiet" size="icon" aria-label={label} title={label} {...props} />;
}

function Preview({ generation }: Pick<GenerationCardProps, 'generation'>) {
  const { usable } = useVisit();
  const { kind, prompt, status, output } = generation;
  if (output && kind === 'clip') {
    return <Clip output={output} name={shortPrompt(prompt)} usable={usable} />;
  }
  if (output) {
    const { url, width, height } = output;
    return (
      <Picture
        src={url}
        alt={shortPrompt(prompt)}
        width={width}
        height={height}
        usable={usable}
        className="absolute inset-0 size-full object-cover"
      />
    );
  }
  if (status === 'canceled') return <CircleSlash aria-hidden className="size-8" />;
  if (!isPending(generation)) return <ImageOff aria-hidden className="size-8" />;
  return <Underway>{status === 'queued' ? 'Waiting' : 'Generating'}</Underway>;
}

function Underway({ children }: { children: string }) {
  return (
    <p className="flex items-center gap-2 text-sm">
      {/* Only the dot is animated: fading text would lose its contrast. */}
      <span aria-hidden className="animate-breathe bg-accent size-2 rounded-full" />
      {children}
    </p>
  );
}

function State({ generation }: Pick<GenerationCardProps, 'generation'>) {
  const { status, prompt, progress, failure, createdAt, cost, output } = generation;
  switch (status) {
    case 'queued':
    case 'running':
      return <Progress value={progress} label={`Progress of ${shortPrompt(prompt)}`} />;
    case 'failed':
      return <p className="text-danger text-sm">{failureMessages[failure ?? 'unknown']}</p>;
    case 'canceled':
      return <p className="text-muted text-sm">Canceled. Its credits were refunded.</p>;
    case 'succeeded':
      return (
        <p className="text-muted text-sm">
          <time dateTime={createdAt}>{day.format(new Date(createdAt))}</time>
          {` · ${formatCredits(cost)}`}
          {output?.seconds && ` · ${output.seconds} s`}
        </p>
      );
  }
}

/** In UTC, so that server and browser render the same day. */
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** A shortened prompt, as an accessible name. */
export function shortPrompt(prompt: string): string {
  const beginning = truncate(prompt, 120);
  return beginning === prompt ? prompt : `${beginning.trimEnd()}…`;
}
