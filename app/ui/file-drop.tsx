/**
 * Accepts files that are dropped on its children, or pasted. An alternative to a button, never
 * a replacement.
 */
import type { ReactNode } from 'react';
import { useFileDrop, type FileDropOptions } from '@gatehouse/frame/react';

export interface FileDropProps extends FileDropOptions {
  /** Shown as an overlay while files are dragged over it. */
  hint: string;
  children: ReactNode;
}

export function FileDrop({ hint, children, ...options }: FileDropProps) {
  const { isOver, handlers } = useFileDrop(options);
  return (
    // `presentation`: drag and drop is for the pointer; the button serves the keyboard.
    <div role="presentation" className="relative" {...handlers}>
      {children}
      {isOver && (
        <div className="border-accent bg-accent-soft pointer-events-none absolute -inset-2 grid place-items-center rounded-2xl border-2 border-dashed font-medium">
          {hint}
        </div>
      )}
    </div>
  );
}
