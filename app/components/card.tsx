/** A raised surface with an edge. */
import type { ComponentProps } from 'react';

export function Card({ className = '', ...props }: ComponentProps<'div'>) {
  return (
    <div
      {...props}
      className={`border-line bg-surface shadow-card rounded-2xl border ${className}`}
    />
  );
}
