/** The design system's button. */
import { Slot } from '@radix-ui/react-slot';
import { cva, type VariantProps } from 'class-variance-authority';
import { forwardRef, type ComponentPropsWithoutRef } from 'react';

const look = cva(
  // The transparent border becomes visible in forced-colors mode.
  'inline-flex shrink-0 cursor-pointer items-center justify-center gap-2 rounded-full border font-medium whitespace-nowrap transition-colors disabled:cursor-not-allowed disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      tone: {
        primary:
          'bg-accent text-on-accent border-transparent enabled:hover:bg-accent-strong [a&]:hover:bg-accent-strong',
        secondary: 'border-line-strong text-ink enabled:hover:bg-sunken [a&]:hover:bg-sunken',
        quiet:
          'text-muted hover:text-ink border-transparent enabled:hover:bg-sunken [a&]:hover:bg-sunken',
      },
      size: {
        /** For a single icon, with an `aria-label`. */
        icon: 'size-9',
        small: 'min-h-9 px-4 text-sm',
        medium: 'min-h-11 px-6 text-base',
      },
    },
    defaultVariants: { tone: 'primary', size: 'medium' },
  },
);

export interface ButtonProps extends ComponentPropsWithoutRef<'button'>, VariantProps<typeof look> {
  /** Applies the look to the single child, such as a link. */
  asChild?: boolean;
}

/** Forwards a ref, as Radix triggers require. */
export const Button = forwardRef<HTMLButtonElement, ButtonProps>(function Button(
  { asChild, tone, size, className, type, ...props },
  ref,
) {
  const Element = asChild ? Slot : 'button';
  return (
    <Element
      {...(!asChild && { type: type ?? 'button' })}
      {...props}
      ref={ref}
      className={look({ tone, size, className })}
    />
  );
});
