/** The report as an HTML page: one file, without scripts. */
import { adviceOn } from './advice.ts';
import { checkNames } from '../findings/finding.ts';
import { excusedIn, routesIn, verdictOf, type Gathered, type Result } from '../stage/report.ts';
import { titleOf } from '../findings/titles.ts';

const words: Record<Result['is'], [sign: string, label: string]> = {
  proven: ['✓', 'proven'],
  broken: ['✗', 'broken'],
  none: ['·', 'not applicable'],
  'not-observed': ['?', 'not observed'],
};

const style = `
  :root { color-scheme: light dark; --line: light-dark(#d9d5cc, #3a3934); --soft: light-dark(#6b675e, #a39f94);
    --good: light-dark(#15683f, #6fd3a0); --bad: light-dark(#a6231b, #ff9d94); --card: light-dark(#fff, #201f1c); }
  body { margin: 0; padding: 2rem clamp(1rem, 4vw, 4rem); background: light-dark(#f7f5f0, #171613);
    color: light-dark(#23211c, #ece9e1); font: 1rem/1.5 system-ui, sans-serif; }
  h1 { font-size: 1.75rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2.5rem 0 1rem; }
  .summary { color: var(--soft); margin: 0.25rem 0 2rem; }
  .table { position: relative; overflow-x: auto; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); }
  table { border-collapse: collapse; width: 100%; min-width: 56rem; }
  th, td { padding: 0.55rem 0.7rem; border-bottom: 1px solid var(--line); text-align: center; font-weight: normal; }
  tbody tr:last-child > * { border-bottom: 0; }
  thead th { font-size: 0.8rem; color: var(--soft); vertical-align: bottom; }
  tbody th, thead th:first-child { text-align: left; }
  tbody th code { font-weight: 600; } tbody th small { display: block; color: var(--soft); }
  tbody th .layout { color: var(--soft); font-size: 0.8rem; }
  /* The first column is sticky, and narrow enough on a phone to leave room for others. */
  tr > :first-child { position: sticky; left: 0; z-index: 1; background: var(--card); overflow-wrap: anywhere; }
  @media (width < 40rem) { tr > :first-child { min-width: 9.5rem; max-width: 9.5rem; border-right: 1px solid var(--line); } }
  .proven { color: var(--good); } .broken { color: var(--bad); font-weight: 700; } .none, .not-observed { color: var(--soft); }
  article { border: 1px solid var(--line); border-left: 4px solid var(--bad); border-radius: 0.5rem;
    background: var(--card); padding: 0.9rem 1.1rem; margin-bottom: 0.8rem; overflow-wrap: anywhere; }
  article p { margin: 0.3rem 0 0; } article .remedy { color: var(--soft); }
  code { font: 0.9em ui-monospace, monospace; }
  footer { margin-top: 1.2rem; color: var(--soft); font-size: 0.9rem; }
  .hidden { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
`;

export function pageReport(gathered: Gathered, seconds: number): string {
  const { auth, outcomes, findings, notSelected } = gathered;
  const verdict = verdictOf(gathered);
  const excused = excusedIn(gathered);
  const heads = checkNames.map((name) => `<th scope="col">${text(titleOf(name, auth))}</th>`);
  const rows = outcomes.map(({ route, file, isLayout, results }) => {
    const cells = checkNames.map((name) => {
      const result = results[name];
      const [sign, label] = words[result.is];
      const why = result.is === 'not-observed' ? `${label}: ${result.why}` : label;
      return `<td class="${result.is}" title="${text(why)}"><span aria-hidden="true">${sign}</span><span class="hidden">${text(why)}</span></td>`;
    });
    return `<tr><th scope="row"><code>${text(route)}</code>${isLayout ? ' <span class="layout">layout</span>' : ''}<small>${text(file)}</small></th>${cells.join('')}</tr>`;
  });
  const articles = findings.map(({ code, file, route, message }) => {
    const { clauses, remedy, recipe } = adviceOn(code, auth);
    return `<article><code>${text(code)}</code> in <code>${text(route)}</code>${file === null ? '' : ` <small>${text(file)}</small>`}${clauses.length > 0 ? ` (${text(clauses.join(', '))})` : ''}
      <p>${text(message)}</p><p class="remedy">${text(remedy)}${recipe === null ? '' : ` See <code>${text(recipe)}</code>.`}</p></article>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(verdict)}</title>
<style>${style}</style>
<main>
<h1>${text(verdict)}</h1>
<p class="summary">${routesIn(gathered)} in ${seconds.toFixed(1)} seconds</p>
<div class="table" tabindex="0" role="region" aria-label="Routes and checks"><table>
<thead><tr><th scope="col">Route</th>${heads.join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody>
</table></div>
${notSelected.length > 0 ? `<p>Not selected by <code>--routes</code>, so nothing is proven of: ${notSelected.map((path) => `<code>${text(path)}</code>`).join(', ')}</p>` : ''}
${excused.length > 0 ? `<h2>Published rows that others saw</h2><ul>${excused.map((line) => `<li>${text(line)}</li>`).join('')}</ul>` : ''}
${articles.length > 0 ? `<h2>Findings</h2>${articles.join('\n')}` : ''}
<footer>✓ proven &nbsp; ✗ broken &nbsp; · not applicable &nbsp; ? not observed</footer>
</main>
</html>
`;
}

function text(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
