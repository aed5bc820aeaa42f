/** Short messages at the edge of the page. */
import type { CSSProperties } from 'react';
import { Toaster as Sonner } from 'sonner';
import 'sonner/dist/styles.css';

export { toast } from 'sonner';

/** Stands on each page that uses {@link toast}; pages that do not are spared its weight. */
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

/** Set by a script once there is a toast: the server renders none, which the CSP would refuse. */
const tokens = {
  '--normal-bg': 'var(--color-surface)',
  '--normal-border': 'var(--color-line)',
  '--normal-text': 'var(--color-ink)',
  '--border-radius': 'var(--radius-xl)',
} as CSSProperties;
