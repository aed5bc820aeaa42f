/** How far something is. */
import * as Radix from '@radix-ui/react-progress';

export interface ProgressProps {
  /** 0 to 1. */
  value: number;
  label: string;
}

export function Progress({ value, label }: ProgressProps) {
  const percent = Math.round(value * 100);
  return (
    <Radix.Root
      value={percent}
      aria-label={label}
      className="bg-sunken h-1.5 overflow-hidden rounded-full"
    >
      {/* An SVG's width is an attribute: a server-rendered `style` would be refused by the CSP. */}
      <Radix.Indicator asChild>
        <svg width="100%" height="100%" aria-hidden>
          <rect
            width={`${percent}%`}
            height="100%"
            className="fill-accent transition-[width] duration-700"
          />
        </svg>
      </Radix.Indicator>
    </Radix.Root>
  );
}
