/** Takes files that are dropped on what it holds, or pasted into it. A way beside a button, never the only one. */
import { useState, type ReactNode } from 'react';

export interface FileDropProps {
  disabled: boolean;
  onFiles: (files: File[]) => void;
  /** Shown over the whole while files are dragged across. */
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
    // What is dragged comes to whatever is under it: for a keyboard there is the button.
    <div
      role="presentation"
      className="relative"
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        // Also where nothing may be dropped: the browser would leave the page for the file.
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
