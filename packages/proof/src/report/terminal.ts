/** The report for a terminal: a table of routes by checks, then the findings. */
import { styleText } from 'node:util';
import { adviceOn } from './advice.ts';
import { checkNames, type CheckName } from '../findings/finding.ts';
import { excusedIn, routesIn, verdictOf, type Gathered, type Result } from '../stage/report.ts';
import { titleOf } from '../findings/titles.ts';

/** Column headings, one letter each. */
const letters: Record<CheckName, string> = {
  'signed-out': 'A',
  'guard-first': 'B',
  leaks: 'C',
  'other-people': 'D',
  kept: 'E',
  trouble: 'F',
  'other-sites': 'G',
  'signed-out-page': 'H',
  frame: 'I',
  everybody: 'J',
};

const signs: Record<Result['is'], string> = {
  proven: '✓',
  broken: '✗',
  none: '·',
  'not-observed': '?',
};

export function terminalReport(gathered: Gathered, seconds: number): string {
  const { auth, outcomes, findings, notSelected } = gathered;
  const names = outcomes.map(({ route, isLayout }) => (isLayout ? `${route} (layout)` : route));
  const width = Math.max(...names.map(({ length }) => length), 5);
  const lines = [
    `${'route'.padEnd(width)}  ${checkNames.map((name) => letters[name]).join(' ')}`,
    ...outcomes.map(({ results }, index) => {
      const row = checkNames.map((name) => paint(results[name].is, signs[results[name].is]));
      return `${(names[index] ?? '').padEnd(width)}  ${row.join(' ')}`;
    }),
    '',
    checkNames.map((name) => `${letters[name]} ${titleOf(name, auth)}`).join(' · '),
    '✓ proven  ✗ broken  · not applicable  ? not observed',
  ];
  const reasons = new Set(
    outcomes.flatMap(({ results }) =>
      checkNames.flatMap((name) => {
        const result = results[name];
        return result.is === 'not-observed' ? [`${letters[name]}: ${result.why}`] : [];
      }),
    ),
  );
  if (reasons.size > 0) lines.push('', 'Not observed:', ...[...reasons].map((why) => `  ${why}`));
  if (notSelected.length > 0)
    lines.push(
      '',
      'Not selected by --routes, so nothing is proven of:',
      `  ${notSelected.join(', ')}`,
    );
  const excused = excusedIn(gathered);
  if (excused.length > 0)
    lines.push('', 'Published rows that others saw:', ...excused.map((line) => `  ${line}`));
  for (const { code, route, file, message } of findings) {
    const { clauses, remedy, recipe } = adviceOn(code, auth);
    lines.push(
      '',
      [
        `${paint('broken', '✗')} ${file ?? route}`,
        code,
        clauses.length > 0 ? `[${clauses.join(' ')}]` : '',
      ]
        .join('  ')
        .trimEnd(),
      `  ${message}`,
      `  ${remedy}${recipe === null ? '' : ` See ${recipe}.`}`,
    );
  }
  lines.push('', `${verdictOf(gathered)}: ${routesIn(gathered)} in ${seconds.toFixed(1)} s.`);
  return lines.join('\n');
}

function paint(is: Result['is'], text: string): string {
  if (!process.stdout.isTTY) return text;
  if (is === 'proven') return styleText('green', text);
  return is === 'broken' ? styleText('red', text) : styleText('dim', text);
}
