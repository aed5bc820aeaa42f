/**
 * How slow this machine is. The proof's time limits were chosen on an ordinary machine; they are multiplied by how much
 * longer the first page took here.
 */

let slowness = 1;

/** A page that takes longer than this many times the usual is a slow page rather than a slow machine: a hang must end. */
const slowest = 20;

/** @param usual milliseconds that the same takes on an ordinary machine */
export function noteFirstPage(took: number, usual: number): void {
  slowness = Math.min(slowest, Math.max(slowness, took / usual));
}

/** A time limit for this machine, in milliseconds. Limits are never shorter than on an ordinary machine. */
export function onThisMachine(milliseconds: number): number {
  return Math.ceil(milliseconds * slowness);
}
