/**
 * Accepts files that are dropped on or pasted into its children. An alternative to a button, never
 * a replacement.
 */
import { useState, type ReactNode } from 'react';

export interface FileDropProps {
  disabled: boolean;
  onFiles: (files: File[]) => void;
  /** Shown as an overlay while files are dragged over it. */
  hint: string;
  children: ReactNode;
}

export function FileDrop({ disabled, onFiles, hint, children }: FileDropProps) {
  const [over, setOver] = useState(false);
  const take = (data: DataTransfer | null) => {
    const files = [...(data?.files ?? [])];
    if (files.length > 0 && !disabled) onFiles(files);
    return files.length > 0;
  };
  return (
    // `presentation`: drag and drop is for the pointer; the button serves the keyboard.
    <div
      role="presentation"
      className="relative"
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        // Also when disabled: otherwise the browser would navigate to the dropped file.
        event.preventDefault();
        event.dataTransfer.dropEffect = disabled ? 'none' : 'copy';
        setOver(!disabled);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        setOver(false);
        if (take(event.dataTransfer)) event.preventDefault();
      }}
      onPaste={(event) => {
        if (take(event.clipboardData)) event.preventDefault();
      }}
    >
      {children}
      {over && (
        <div className="border-accent bg-accent-soft pointer-events-none absolute -inset-2 grid place-items-center rounded-2xl border-2 border-dashed font-medium">
          {hint}
        </div>
      )}
    </div>
  );
}
