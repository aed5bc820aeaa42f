/** Shared by the benchmarks: the command that starts the built site, measurements of its process, and statistics. */
import { readFileSync } from 'node:fs';
import manifest from '../../package.json' with { type: 'json' };

/** The arguments that `npm start` passes to node. */
export const startArguments = manifest.scripts.start.replace(/^exec node /, '').split(' ');

/**
 * CPU time that a process has used, in milliseconds. Less sensitive than the request rate to other load on the
 * machine. Linux only (proc(5), in ticks of 10 ms); NaN elsewhere.
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

/** The current resident set size of a process, in megabytes. Linux only; NaN elsewhere. */
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

/** @param share which fraction of the values is smaller than the result, from 0 to below 1. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}
