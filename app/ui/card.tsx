/** A raised surface with a border. */
import { cva, type VariantProps } from 'class-variance-authority';
import type { ComponentProps } from 'react';

const look = cva('border-line shadow-card rounded-2xl border', {
  variants: {
    tone: { plain: 'bg-surface', accent: 'bg-accent-soft', danger: 'bg-danger-soft' },
  },
  defaultVariants: { tone: 'plain' },
});

export type CardProps = ComponentProps<'div'> & VariantProps<typeof look>;

export function Card({ tone, className, ...props }: CardProps) {
  return <div {...props} className={look({ tone, className })} />;
}
