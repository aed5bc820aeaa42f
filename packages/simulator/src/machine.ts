/** Time limits are chosen on an ordinary machine, and become longer on a slower one. */

/** The limit on this machine, for one on an ordinary machine. Both in milliseconds. */
export type OnThisMachine = (milliseconds: number) => number;

/** A machine that seems even slower has stalled, and a hang must end. */
const slowest = 8;

/**
 * Returns the limits of a machine on which some work took this long. The work must not include the site's own code: a
 * slow site would be given more time instead of being reported.
 *
 * @param took milliseconds that the work took on this machine
 * @param usual milliseconds that it takes on an ordinary machine
 */
export function machineThatTook(took: number, usual: number): OnThisMachine {
  const slowness = Math.min(slowest, Math.max(1, took / usual));
  return (milliseconds) => Math.ceil(milliseconds * slowness);
}
