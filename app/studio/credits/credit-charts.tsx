/** Charts of the last weeks' credits. Uses SVG attributes, because the CSP blocks `style`. */
import { scaleBand, scaleLinear } from 'd3-scale';
import { area, curveStepAfter, line } from 'd3-shape';
import type { ReactNode } from 'react';
import type { CreditDay } from '~/platform/credits/credits';

const width = 720;
const height = 180;

export function SpentChart({ days }: { days: readonly CreditDay[] }) {
  const most = Math.max(1, ...days.map(({ spent }) => spent));
  const x = scaleBand(
    days.map(({ day }) => day),
    [0, width],
  ).padding(0.25);
  const y = scaleLinear([0, most], [height, 0]).nice();
  const [, highest = most] = y.domain();
  const total = days.reduce((sum, { spent }) => sum + spent, 0);
  return (
    <Chart
      title="Spent each day"
      label={`Credits spent each day: ${total} in ${days.length} days, at most ${most} in one.`}
      highest={highest}
      days={days}
    >
      {days.map(({ day, spent }) => (
        <rect
          key={day}
          x={x(day)}
          y={y(Math.max(0, spent))}
          width={x.bandwidth()}
          height={height - y(Math.max(0, spent))}
          className="fill-accent forced-colors:fill-[CanvasText]"
        >
          <title>{`${dayName(day)}: ${spent}`}</title>
        </rect>
      ))}
    </Chart>
  );
}

export function BalanceChart({ days }: { days: readonly CreditDay[] }) {
  const most = Math.max(1, ...days.map(({ balance }) => balance));
  const x = scaleLinear([0, days.length], [0, width]);
  const y = scaleLinear([0, most], [height, 0]).nice();
  const [, highest = most] = y.domain();
  // Repeats the last day, so that its step is drawn.
  const last = days.at(-1);
  const steps = [...days, ...(last ? [last] : [])];
  const outline = line<CreditDay>(
    (_, index) => x(index),
    ({ balance }) => y(balance),
  );
  const surface = area<CreditDay>(
    (_, index) => x(index),
    height,
    ({ balance }) => y(balance),
  );
  return (
    <Chart
      title="Balance"
      label={`Balance at the end of each day: from ${days[0]?.balance ?? 0} to ${last?.balance ?? 0} credits.`}
      highest={highest}
      days={days}
    >
      <path d={surface.curve(curveStepAfter)(steps) ?? ''} className="fill-accent-soft" />
      <path
        d={outline.curve(curveStepAfter)(steps) ?? ''}
        vectorEffect="non-scaling-stroke"
        strokeWidth="2"
        className="stroke-accent fill-none forced-colors:stroke-[CanvasText]"
      />
    </Chart>
  );
}

interface ChartProps {
  title: string;
  /** A text alternative for the chart. */
  label: string;
  highest: number;
  days: readonly CreditDay[];
  children: ReactNode;
}

function Chart({ title, label, highest, days, children }: ChartProps) {
  const middle = days[Math.floor(days.length / 2)];
  return (
    <figure className="grid min-w-0 gap-2">
      <figcaption className="flex justify-between gap-4 text-sm">
        <span className="font-medium">{title}</span>
        <span className="text-muted tabular-nums">{highest}</span>
      </figcaption>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="border-line h-36 w-full border-y"
      >
        {children}
      </svg>
      <p aria-hidden className="text-muted flex justify-between gap-2 text-xs">
        {[days[0], middle, days.at(-1)].map(
          (shown, index) => shown && <time key={index}>{dayName(shown.day)}</time>,
        )}
      </p>
    </figure>
  );
}

function dayName(day: string): string {
  return shortDay.format(new Date(`${day}T00:00:00Z`));
}

const shortDay = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
