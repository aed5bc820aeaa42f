/** Charts of the last weeks' credits. */
import type { CreditDay } from '~/platform/credits/credits';
import { BarChart, StepChart } from '~/ui/chart';

export function CreditCharts({ days }: { days: readonly CreditDay[] }) {
  const spent = days.map((day) => day.spent);
  const most = Math.max(1, ...spent);
  const total = spent.reduce((sum, each) => sum + each, 0);
  const [first, last] = [days[0]?.balance ?? 0, days.at(-1)?.balance ?? 0];
  return (
    <div className="grid gap-8 md:grid-cols-2">
      <BarChart
        title="Spent each day"
        label={`Credits spent each day: ${total} in ${days.length} days, at most ${most} in one.`}
        points={days.map(({ day, spent: value }) => ({ name: dayName(day), value }))}
      />
      <StepChart
        title="Balance"
        label={`Balance at the end of each day: from ${first} to ${last} credits.`}
        points={days.map(({ day, balance }) => ({ name: dayName(day), value: balance }))}
      />
    </div>
  );
}

function dayName(day: string): string {
  return shortDay.format(new Date(`${day}T00:00:00Z`));
}

const shortDay = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
