/** A menu of the header. It opens without a script, and what is in a closed one is out of reach of the Tab key. */
import { useLocation } from '@remix-run/react';
import type { FocusEvent, KeyboardEvent, ReactNode } from 'react';
import { Button } from '~/ui/button';
import { Card } from '~/ui/card';

export interface HeaderMenuProps {
  /** What is on its button. */
  button: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A `<details>` closes by its button alone: here it does so by Escape, and when the focus or a click is elsewhere. */
export function HeaderMenu({ button, className = '', children }: HeaderMenuProps) {
  const { key } = useLocation();
  return (
    // A new page has its menus closed.
    <details
      key={key}
      onBlur={closeOnceLeft}
      onKeyDown={closeByEscape}
      className={`group min-w-0 md:relative ${className}`}
    >
      <Button asChild tone="secondary" size="small">
        <summary className="hover:bg-sunken group-open:bg-sunken chevron max-w-full">
          {button}
        </summary>
      </Button>
      {/* A click on its text would otherwise take the focus out of the menu. */}
      <Card
        tabIndex={-1}
        className="absolute top-full right-4 z-30 mt-2 grid w-max max-w-72 min-w-48 p-2 md:right-0"
      >
        {children}
      </Card>
    </details>
  );
}

function closeOnceLeft({ currentTarget, relatedTarget }: FocusEvent<HTMLDetailsElement>) {
  if (!currentTarget.contains(relatedTarget)) currentTarget.open = false;
}

function closeByEscape({ currentTarget, key }: KeyboardEvent<HTMLDetailsElement>) {
  if (key !== 'Escape') return;
  currentTarget.open = false;
  currentTarget.querySelector('summary')?.focus();
}
