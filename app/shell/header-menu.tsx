/** A menu in the header. It opens without JavaScript, and the Tab key skips the contents of a closed one. */
import { useLocation } from '@remix-run/react';
import type { FocusEvent, KeyboardEvent, ReactNode } from 'react';
import { buttonLook } from '~/ui/button';
import { Card } from '~/ui/card';

export interface HeaderMenuProps {
  /** The button's content. */
  button: ReactNode;
  className?: string;
  children: ReactNode;
}

/** Also closes on Escape, on a click outside, and when focus leaves the menu. */
export function HeaderMenu({ button, className = '', children }: HeaderMenuProps) {
  const { key } = useLocation();
  return (
    // Keyed by location, so that navigation closes the menu.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its summary and contents are interactive
    <details
      key={key}
      onBlur={closeOnBlur}
      onKeyDown={closeOnEscape}
      className={`group min-w-0 md:relative ${className}`}
    >
      <summary
        className={buttonLook({
          tone: 'secondary',
          size: 'small',
          className: 'hover:bg-sunken group-open:bg-sunken chevron max-w-full',
        })}
      >
        {button}
      </summary>
      {/* Focusable, so that a click on its text keeps the focus in the menu. On a phone it spans the header. */}
      <Card
        tabIndex={-1}
        className="absolute inset-x-4 top-full z-30 mt-2 grid p-2 md:right-0 md:left-auto md:w-max md:max-w-72 md:min-w-48"
      >
        {children}
      </Card>
    </details>
  );
}

function closeOnBlur({ currentTarget, relatedTarget }: FocusEvent<HTMLDetailsElement>) {
  if (!currentTarget.contains(relatedTarget)) currentTarget.open = false;
}

function closeOnEscape({ currentTarget, key }: KeyboardEvent<HTMLDetailsElement>) {
  if (key !== 'Escape') return;
  currentTarget.open = false;
  currentTarget.querySelector('summary')?.focus();
}
