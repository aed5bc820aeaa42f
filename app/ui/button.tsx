/** The design system's button. */
import { cva, type VariantProps } from 'class-variance-authority';
import { forwardRef, type ComponentPropsWithoutRef } from 'react';

/** The classes of a button, for a link that looks like one: `<Link className={buttonLook({ tone: 'quiet' })}>`. */
export const buttonLook = cva(
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

export interface ButtonProps
  extends ComponentPropsWithoutRef<'button'>, VariantProps<typeof buttonLook> {}

/** Forwards a ref, as Radix triggers require. */
export const Button = forwardRef<HTMLButtonElement, ButtonProps>(function Button(
  { tone, size, className, type = 'button', ...props },
  ref,
) {
  return (
    <button {...props} type={type} ref={ref} className={buttonLook({ tone, size, className })} />
  );
});
