/** Reporter that prints the results of `outages.spec.ts`, one line per kind of outage and moment. */
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import type { MeasuredOutage } from './outages.spec';

export default class OutagesTable implements Reporter {
  readonly #measured = new Map<
    string,
    { outages: number; kept: number; reported: number; back: number[] }
  >();

  onTestEnd(_test: TestCase, { annotations }: TestResult): void {
    for (const { type, description = '' } of annotations) {
      if (type !== 'outage') continue;
      const { kind, moment, reported, kept, back } = JSON.parse(description) as MeasuredOutage;
      const name = `${kind}, ${moment}`;
      const line = this.#measured.get(name) ?? { outages: 0, kept: 0, reported: 0, back: [] };
      this.#measured.set(name, line);
      line.outages += 1;
      line.kept += Number(kept);
      line.reported += Number(reported);
      if (back !== null) line.back.push(back);
    }
  }

  onEnd(): void {
    const lines = [...this.#measured].sort(([a], [b]) => a.localeCompare(b));
    const rows = lines.map(([name, { outages, kept, reported, back }]) => {
      const sorted = back.toSorted((a, b) => a - b);
      return {
        outage: name,
        outages,
        reported: reported,
        'input kept': kept,
        'recovery, median ms': sorted[Math.floor(sorted.length / 2)],
        'recovery, longest ms': sorted.at(-1),
      };
    });
    // eslint-disable-next-line no-console -- this is a report
    console.table(rows);
  }
}
