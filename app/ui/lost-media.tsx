/** In place of a picture or clip that failed to load, with a retry. */
import type { LucideIcon } from 'lucide-react';
import { Button } from './button';

export interface LostMediaProps {
  icon: LucideIcon;
  message: string;
  /** Whether the retry button is enabled. */
  usable: boolean;
  onRetry: () => void;
}

export function LostMedia({ icon: Icon, message, usable, onRetry }: LostMediaProps) {
  return (
    <div className="grid justify-items-center gap-3 p-4 text-center text-sm">
      <Icon aria-hidden className="size-8" />
      <p>{message}</p>
      <Button tone="secondary" size="small" disabled={!usable} onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
