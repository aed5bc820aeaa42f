/** Charts of one value over time. Uses SVG attributes, because the CSP blocks `style`. */
import { scaleBand, scaleLinear } from 'd3-scale';
import { area, curveStepAfter, line } from 'd3-shape';
import type { ReactNode } from 'react';

/** A point in time, with the text that names it. */
export interface ChartPoint {
  /** Unique in its chart. */
  name: string;
  value: number;
}

export interface ChartProps {
  title: string;
  /** A text alternative for the chart. */
  label: string;
  points: readonly ChartPoint[];
}

const width = 720;
const height = 180;

export function BarChart(props: ChartProps) {
  const { points } = props;
  const { y, highest } = scaleOf(points);
  const x = scaleBand(
    points.map(({ name }) => name),
    [0, width],
  ).padding(0.25);
  return (
    <Chart {...props} highest={highest}>
      {points.map(({ name, value }) => (
        <rect
          key={name}
          x={x(name)}
          y={y(Math.max(0, value))}
          width={x.bandwidth()}
          height={height - y(Math.max(0, value))}
          className="fill-accent forced-colors:fill-[CanvasText]"
        >
          <title>{`${name}: ${value}`}</title>
        </rect>
      ))}
    </Chart>
  );
}

/** A value that stays until it changes, such as a balance. */
export function StepChart(props: ChartProps) {
  const { points } = props;
  const { y, highest } = scaleOf(points);
  const x = scaleLinear([0, points.length], [0, width]);
  // Repeats the last point, so that its step is drawn.
  const steps = [...points, ...points.slice(-1)];
  const at = (_: ChartPoint, index: number) => x(index);
  const outline = line<ChartPoint>(at, ({ value }) => y(value)).curve(curveStepAfter);
  const surface = area<ChartPoint>(at, height, ({ value }) => y(value)).curve(curveStepAfter);
  return (
    <Chart {...props} highest={highest}>
      <path d={surface(steps) ?? ''} className="fill-accent-soft" />
      <path
        d={outline(steps) ?? ''}
        vectorEffect="non-scaling-stroke"
        strokeWidth="2"
        className="stroke-accent fill-none forced-colors:stroke-[CanvasText]"
      />
    </Chart>
  );
}

function scaleOf(points: readonly ChartPoint[]) {
  const most = Math.max(1, ...points.map(({ value }) => value));
  const y = scaleLinear([0, most], [height, 0]).nice();
  return { y, highest: y.domain()[1] ?? most };
}

function Chart({
  title,
  label,
  points,
  highest,
  children,
}: ChartProps & { highest: number; children: ReactNode }) {
  const middle = points[Math.floor(points.length / 2)];
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
        {[points[0], middle, points.at(-1)].map(
          (shown, index) => shown && <span key={index}>{shown.name}</span>,
        )}
      </p>
    </figure>
  );
}
