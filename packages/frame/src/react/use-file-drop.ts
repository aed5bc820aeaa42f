/**
 * Files that are dropped on an element, or pasted into the page. An alternative to a button, never a replacement: dropping is
 * for the pointer.
 */
import { useEffect, useRef, useState, type DragEvent } from 'react';

export interface UseFileDrop {
  /** Whether files are dragged over the element. */
  isOver: boolean;
  /** For the element. */
  handlers: {
    onDragOver: (event: DragEvent) => void;
    onDragLeave: (event: DragEvent) => void;
    onDrop: (event: DragEvent) => void;
  };
}

export interface FileDropOptions {
  disabled: boolean;
  onFiles: (files: File[]) => void;
}

export function useFileDrop(options: FileDropOptions): UseFileDrop {
  const { disabled } = options;
  const [isOver, setOver] = useState(false);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });

  // Browsers paste into what has a cursor: where nothing has, into the page.
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      if (!event.defaultPrevented && take(event.clipboardData, latest.current)) {
        event.preventDefault();
      }
    };
    document.addEventListener('paste', paste);
    return () => {
      document.removeEventListener('paste', paste);
    };
  }, []);

  return {
    isOver,
    handlers: {
      onDragOver(event) {
        if (!event.dataTransfer.types.includes('Files')) return;
        // Also when disabled: otherwise the browser would navigate to the dropped file.
        event.preventDefault();
        event.dataTransfer.dropEffect = disabled ? 'none' : 'copy';
        setOver(!disabled);
      },
      onDragLeave({ currentTarget, relatedTarget }) {
        if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false);
      },
      onDrop(event) {
        setOver(false);
        if (take(event.dataTransfer, options)) event.preventDefault();
      },
    },
  };
}

/** @returns whether there were any. The browser would otherwise open a dropped file. */
function take(data: DataTransfer | null, { disabled, onFiles }: FileDropOptions): boolean {
  const files = [...(data?.files ?? [])];
  if (files.length > 0 && !disabled) onFiles(files);
  return files.length > 0;
}
