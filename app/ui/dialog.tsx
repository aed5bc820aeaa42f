/** A modal dialog. */
import * as Radix from '@radix-ui/react-dialog';
import { setNonce } from 'get-nonce';
import { X } from 'lucide-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { Button } from './button';

export interface DialogProps {
  /** Called when the visitor closes it. It is open while rendered. */
  onClose: () => void;
  /** The element to focus after closing. */
  returnFocus: () => HTMLElement | null;
  /** A short title, announced when the dialog opens. */
  title: string;
  /** Keyboard shortcuts within the dialog. */
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ReactNode;
}

export function Dialog({ onClose, returnFocus, title, onKeyDown, children }: DialogProps) {
  // Must run before Radix renders.
  useState(allowItsStyles);
  return (
    <Radix.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Radix.Portal>
        <Radix.Overlay className="bg-scrim fixed inset-0 z-40" />
        <Radix.Content
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            returnFocus()?.focus();
          }}
          className="border-line bg-surface shadow-card fixed top-1/2 left-1/2 z-50 grid max-h-[92dvh] w-[min(94vw,60rem)] -translate-x-1/2 -translate-y-1/2 gap-4 overflow-y-auto rounded-2xl border p-4 sm:p-6"
        >
          <div className="flex items-start justify-between gap-4">
            <Radix.Title className="font-display text-lg wrap-anywhere sm:text-xl">
              {title}
            </Radix.Title>
            <Radix.Close asChild>
              <Button tone="quiet" size="icon" aria-label="Close" className="-mt-1 -mr-1">
                <X aria-hidden />
              </Button>
            </Radix.Close>
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Radix prevents background scrolling with a `<style>` element, which needs the page's nonce. */
function allowItsStyles() {
  const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
  if (nonce) setNonce(nonce);
}
