/** What the benchmarks share: how the built site is run, and what is read of its process. */
import { readFileSync } from 'node:fs';
import manifest from '../../package.json' with { type: 'json' };

/** Arguments of node, as in `npm start`. */
export const startArguments = manifest.scripts.start.replace(/^exec node /, '').split(' ');

/**
 * Milliseconds of processor that a process has used. Steadier than its rate where the machine has
 * other work. Linux only (proc(5): ticks of 10 ms); NaN elsewhere.
 */
export function cpuTimeOf(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) * 10;
  } catch {
    return Number.NaN;
  }
}

/** Megabytes of memory that a process has now, by its resident set. Linux only; NaN elsewhere. */
export function memoryOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

export function median(values: number[]): number {
  return quantile(values, 0.5);
}

/** @param share of the values that are smaller, below 1. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
