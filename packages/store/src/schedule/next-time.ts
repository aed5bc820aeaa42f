/** When something that is done regularly is done next. */

const hour = 3_600_000;

/** Milliseconds, from the Unix epoch on: a Thursday. */
const intervals = { minute: 60_000, hour, day: 24 * hour, week: 7 * 24 * hour };

export type Interval = keyof typeof intervals;

/** Weeks begin on Monday. */
const mondayOffset = 4 * 24 * hour;

/** The first beginning of such an interval after a time, in UTC, which has no summer time. */
export function nextTime(every: Interval, after: Date): Date {
  const length = intervals[every];
  const offset = every === 'week' ? mondayOffset : 0;
  return new Date((Math.floor((after.getTime() - offset) / length) + 1) * length + offset);
}
