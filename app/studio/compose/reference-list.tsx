/** The references of an order, uploading or uploaded. */
import { FileImage, Film, Paperclip, X } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { uploadAccept } from '~/platform/media/media';
import { Button } from '~/ui/button';
import { Progress } from '~/ui/progress';
import { useLostFocus } from '~/ui/use-lost-focus';
import type { Reference } from './order-draft';

export interface ReferenceListProps {
  references: readonly Reference[];
  detach: (reference: Reference) => void;
  disabled: boolean;
  /** The button that adds one. */
  children: ReactNode;
}

export function ReferenceList({ references, detach, disabled, children }: ReferenceListProps) {
  const add = useLostFocus<HTMLDivElement>();
  const failed = references.filter(({ problem }) => problem).length;
  return (
    <section aria-label="References" className="grid gap-3">
      {references.length > 0 && (
        <ul className="grid gap-2 sm:grid-cols-2">
          {references.map((reference) => {
            const { key, name, media, problem, share } = reference;
            return (
              <li
                key={key}
                className="border-line bg-sunken flex min-w-0 items-center gap-3 rounded-xl border p-2"
              >
                <Thumbnail media={media} />
                <div className="grid min-w-0 grow gap-1 text-sm">
                  <span dir="auto" className="truncate">
                    {name}
                  </span>
                  {media && <input type="hidden" name="reference" value={media.id} />}
                  {!media && !problem && <Progress value={share} label={`Upload of ${name}`} />}
                  <span className="text-danger empty:hidden">{problem}</span>
                </div>
                <Button
                  tone="quiet"
                  size="icon"
                  disabled={disabled}
                  aria-label={`${media || problem ? 'Remove' : 'Cancel the upload of'} ${name}`}
                  onClick={() => {
                    detach(reference);
                  }}
                >
                  <X aria-hidden />
                </Button>
              </li>
            );
          })}
        </ul>
      )}
      {/* Stays, unlike the references: a live region that is inserted with its text is not read. */}
      <p role="status" className="sr-only">
        {failed > 0 && `${failed} of ${references.length} could not be added.`}
      </p>
      <div ref={add} tabIndex={-1} className="flex flex-wrap items-center gap-3 outline-none">
        {children}
        <p className="text-muted text-sm">
          Pictures or clips to use as a guide. You can also drop or paste them here.
        </p>
      </div>
    </section>
  );
}

export interface AddReferenceProps {
  onFiles: (files: File[]) => void;
  disabled: boolean;
}

export function AddReference({ onFiles, disabled }: AddReferenceProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        tone="secondary"
        size="small"
        disabled={disabled}
        onClick={() => {
          input.current?.click();
        }}
      >
        <Paperclip aria-hidden />
        Add references
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        disabled={disabled}
        aria-label="Reference files"
        accept={uploadAccept}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // Allows choosing the same file again.
          target.value = '';
        }}
      />
    </>
  );
}

function Thumbnail({ media }: Pick<Reference, 'media'>) {
  const look = 'size-10 shrink-0 rounded-lg';
  if (media?.url && media.contentType?.startsWith('image/'))
    return <img src={media.url} alt="" className={`${look} object-cover`} />;
  const Icon = media?.contentType?.startsWith('video/') ? Film : FileImage;
  return (
    <span className={`${look} text-muted grid place-items-center`}>
      <Icon aria-hidden className="size-5" />
    </span>
  );
}
