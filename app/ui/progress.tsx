/** A progress bar. */
import * as Radix from '@radix-ui/react-progress';

export interface ProgressProps {
  /** 0 to 1; null if unknown. */
  value: number | null;
  label: string;
  /** What screen readers announce as the value. Default: its percentage. */
  valueText?: string;
}

export function Progress({ value, label, valueText }: ProgressProps) {
  const percent = value === null ? null : Math.round(value * 100);
  return (
    <Radix.Root
      value={percent}
      aria-label={label}
      {...(valueText !== undefined && { 'aria-valuetext': valueText })}
      className="bg-sunken h-1.5 overflow-hidden rounded-full forced-colors:outline-1"
    >
      {/* SVG's `width` is an attribute: the CSP would block a server-rendered `style`. */}
      <Radix.Indicator asChild>
        <svg width="100%" height="100%" aria-hidden>
          <rect
            width={`${percent ?? 100}%`}
            height="100%"
            className={
              percent === null
                ? 'fill-accent animate-breathe'
                : 'fill-accent transition-[width] duration-700'
            }
          />
        </svg>
      </Radix.Indicator>
    </Radix.Root>
  );
}
