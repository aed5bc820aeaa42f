/** One picture of the feed: on its way, done, or failed. */
import { ImageOff, Maximize2 } from 'lucide-react';
import { useId } from 'react';
import type { Generation } from '~/platform/sdk/sdk';
import { Button } from '~/ui/button';
import { Card } from '~/ui/card';
import { Dialog } from '~/ui/dialog';
import { DownloadButton } from '~/shell/download-button';
import { Picture } from '~/ui/picture';
import { Progress } from '~/ui/progress';

export interface GenerationCardProps {
  generation: Generation;
  /** False until the browser has confirmed whose feed this is. */
  usable: boolean;
}

export function GenerationCard({ generation, usable }: GenerationCardProps) {
  const { prompt, output } = generation;
  const nameId = useId();
  return (
    <Card className="flex flex-col overflow-hidden">
      <div className="bg-sunken text-muted relative grid aspect-square min-h-0 place-items-center overflow-hidden">
        {output ? (
          <Output
            generation={generation}
            usable={usable}
            className="absolute inset-0 size-full object-cover"
          />
        ) : generation.status === 'failed' ? (
          <ImageOff aria-hidden className="size-8" />
        ) : (
          <p className="flex items-center gap-2 text-sm">
            {/* Text that fades in and out would lose its contrast. */}
            <span aria-hidden className="animate-breathe bg-accent size-2 rounded-full" />
            {generation.status === 'queued' ? 'Waiting' : 'Drawing'}
          </p>
        )}
      </div>
      <div className="flex grow flex-col gap-3 p-4">
        <h3 id={nameId} className="line-clamp-2 font-medium wrap-anywhere whitespace-pre-line">
          {prompt}
        </h3>
        {/* As high before the picture is there as afterwards, so that nothing below it moves. */}
        <div className="mt-auto grid min-h-17 content-start gap-3">
          <State generation={generation} />
          {output && (
            <div className="flex flex-wrap gap-2 noscript:hidden">
              <DownloadButton
                url={output.url}
                filename={output.filename}
                disabled={!usable}
                aria-describedby={nameId}
              />
              <Dialog
                title={short(prompt)}
                trigger={
                  <Button tone="quiet" size="small" disabled={!usable} aria-describedby={nameId}>
                    <Maximize2 aria-hidden />
                    View
                  </Button>
                }
              >
                <Output
                  generation={generation}
                  usable={usable}
                  className="max-h-[65dvh] w-full rounded-lg object-contain"
                />
                <div>
                  <DownloadButton url={output.url} filename={output.filename} disabled={!usable} />
                </div>
                {prompt !== short(prompt) && (
                  <p className="text-muted text-sm wrap-anywhere whitespace-pre-line">{prompt}</p>
                )}
              </Dialog>
            </div>
          )}
        </div>
      </div>
    </Card>
  );
}

function State({ generation }: { generation: Generation }) {
  switch (generation.status) {
    case 'queued':
    case 'running':
      return (
        <Progress value={generation.progress} label={`Progress of ${short(generation.prompt)}`} />
      );
    case 'failed':
      return (
        <p className="text-danger text-sm">
          This picture could not be made. Try it in other words.
        </p>
      );
    case 'succeeded':
      return (
        <p className="text-muted text-sm">
          <time dateTime={generation.createdAt}>{day.format(new Date(generation.createdAt))}</time>
        </p>
      );
  }
}

/** In UTC, so that server and browser write the same day. */
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

interface OutputProps extends GenerationCardProps {
  className: string;
}

function Output({ generation: { output, prompt }, ...picture }: OutputProps) {
  if (!output) return null;
  const { url, width, height } = output;
  return <Picture src={url} alt={short(prompt)} width={width} height={height} {...picture} />;
}

/** A prompt as a name: nobody listens to two thousand characters. */
function short(prompt: string): string {
  return prompt.length > 120 ? `${prompt.slice(0, 120).trimEnd()}…` : prompt;
}
