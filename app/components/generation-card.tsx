/** One picture of the feed: on its way, done, or failed. */
import { ImageOff, Maximize2 } from 'lucide-react';
import type { Generation } from '~/platform/sdk';
import { Button } from './button';
import { Card } from './card';
import { Dialog } from './dialog';
import { DownloadButton } from './download-button';
import { Progress } from './progress';

export interface GenerationCardProps {
  generation: Generation;
  /** False until the browser has confirmed whose feed this is. */
  usable: boolean;
}

export function GenerationCard({ generation, usable }: GenerationCardProps) {
  const { prompt, output } = generation;
  return (
    <Card className="flex flex-col overflow-hidden">
      <div className="bg-sunken text-muted grid aspect-square place-items-center">
        {output ? (
          <Picture generation={generation} className="size-full object-cover" />
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
        <h3 className="line-clamp-2 font-medium wrap-anywhere whitespace-pre-line">{prompt}</h3>
        <div className="mt-auto grid gap-3">
          <State generation={generation} />
          {output && (
            <div className="flex flex-wrap gap-2">
              <DownloadButton url={output.url} filename={output.filename} disabled={!usable} />
              <Dialog
                title={prompt}
                trigger={
                  <Button tone="quiet" size="small" disabled={!usable}>
                    <Maximize2 aria-hidden />
                    View
                  </Button>
                }
              >
                <Picture
                  generation={generation}
                  className="max-h-[65dvh] w-full rounded-lg object-contain"
                />
                <div>
                  <DownloadButton url={output.url} filename={output.filename} disabled={!usable} />
                </div>
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
      return <Progress value={generation.progress} label={`Progress of ${generation.prompt}`} />;
    case 'failed':
      return <p className="text-danger text-sm">This picture could not be made.</p>;
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

function Picture({ generation, className }: { generation: Generation; className: string }) {
  const { output, prompt } = generation;
  if (!output) return null;
  return (
    <img
      src={output.url}
      alt={prompt}
      {...(output.width && output.height && { width: output.width, height: output.height })}
      loading="lazy"
      className={className}
    />
  );
}
