/** Short messages at the edge of the page. */
import type { CSSProperties } from 'react';
import { Toaster as Sonner } from 'sonner';
import 'sonner/dist/styles.css';

export { toast } from 'sonner';

/** Rendered only on pages that use {@link toast}, to keep its weight off the others. */
export function Toaster() {
  return (
    <Sonner
      theme="system"
      position="bottom-center"
      toastOptions={{ duration: 6_000 }}
      style={tokens}
    />
  );
}

/**
 * Set by script once there is a toast. The server renders none, so the CSP has no `style` to block.
 */
const tokens = {
  '--normal-bg': 'var(--color-surface)',
  '--normal-border': 'var(--color-line)',
  '--normal-text': 'var(--color-ink)',
  '--border-radius': 'var(--radius-xl)',
} as CSSProperties;
