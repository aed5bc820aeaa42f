/**
 * `npm run boundary`: proves the built site. Exits with 0 without findings, with 1 with findings, and with 2 when the
 * proof could not run.
 */
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserMode } from '@gatehouse/simulator/browser';
import { everyMode, usualMode } from '@gatehouse/simulator/playwright';
import { childEnv, loadSite, siteFolder } from '@gatehouse/simulator/programs';
import { hostAtBuild } from './checks/leaks.ts';
import { adviceOn } from './report/advice.ts';
import { readBuiltRoutes } from './inventory/built-routes.ts';
import { readListedRoutes } from './inventory/listed-routes.ts';
import { selectRoutes } from './crawl/select-routes.ts';
import { proveFromOutside } from './outside.ts';
import { prove } from './prove.ts';
import { pageReport } from './report/page.ts';
import { terminalReport } from './report/terminal.ts';
import { holds, type Gathered } from './stage/report.ts';

const browserModes: Readonly<Record<string, BrowserMode | undefined>> = {
  ...Object.fromEntries(everyMode.map(({ name, use }) => [name, use.mode])),
  none: undefined,
};

const usage = `npm run boundary -- [--help] [--routes /path]… [--json] [--page FILE] [--list FILE] [--against URL] [--built] [--browser MODE] [--mode-only]

  --routes     proves only the routes at or below this path, or the route of this address; / is the home page alone;
               the report lists the routes that it leaves out
  --json       prints the findings as JSON instead of a table
  --page       where to write the HTML report (default: test-results/boundary.html)
  --list       proves a site of any framework, whose start command and routes are in this JSON file
  --against    checks a deployed site over HTTP; the rest is reported as not observed
  --built      uses build/ as it is
  --browser    ${Object.keys(browserModes).join(', ')}: how the browser treats
               cookies and storage in a frame (default: the first); none skips the browser checks
  --mode-only  skips checks whose result does not depend on the browser mode`;

const began = performance.now();
try {
  const options = readOptions();
  if (options === null) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  const proof = await proofOf(options);
  const seconds = (performance.now() - began) / 1000;
  await writePage(options.page, pageReport(proof, seconds));
  process.stdout.write(options.json ? jsonReport(proof) : `${terminalReport(proof, seconds)}\n`);
  process.exitCode = proof.findings.length > 0 ? 1 : 0;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}

interface Options {
  routes: string[];
  json: boolean;
  page: string;
  list: string | undefined;
  against: string | undefined;
  built: boolean;
  browser: BrowserMode | undefined;
  modeOnly: boolean;
}

/** Null if only the usage is wanted. */
function readOptions(): Options | null {
  try {
    const { values } = parseArgs({
      options: {
        help: { type: 'boolean', default: false },
        routes: { type: 'string', multiple: true, default: [] },
        json: { type: 'boolean', default: false },
        page: { type: 'string', default: 'test-results/boundary.html' },
        list: { type: 'string' },
        against: { type: 'string' },
        built: { type: 'boolean', default: false },
        browser: { type: 'string', default: usualMode.name },
        'mode-only': { type: 'boolean', default: false },
      },
    });
    if (values.help) return null;
    if (values.against !== undefined && !URL.canParse(values.against)) {
      throw new Error('--against must be a URL, such as https://site.example.');
    }
    if (!Object.hasOwn(browserModes, values.browser)) {
      throw new Error(`--browser must be one of ${Object.keys(browserModes).join(', ')}.`);
    }
    const browser = browserModes[values.browser];
    const modeOnly = values['mode-only'];
    if (modeOnly && !browser) throw new Error('--mode-only needs a browser.');
    return { ...values, list: values.list, against: values.against, browser, modeOnly };
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${usage}`, { cause: error });
  }
}

async function proofOf(options: Options): Promise<Gathered> {
  const { routes, list, against, built, browser, modeOnly } = options;
  const listed = list === undefined ? null : await readListedRoutes(path.resolve(list));
  if (!listed && !built) build();
  const definition = await loadSite();
  const { auth, settings = {} } = definition;
  const inventory =
    listed?.inventory ?? (await readBuiltRoutes(siteFolder, settingsToLoad(settings), auth));
  const selected = selectRoutes(inventory, routes);
  if (against !== undefined) return proveFromOutside(against, inventory, selected, auth);
  if (listed && !listed.start) {
    throw new Error('The list has no `start`: add the entry file that node runs.');
  }
  const entry = listed?.start?.at(-1);
  return prove({
    definition,
    inventory,
    selected,
    modeOnly,
    ...(browser && { browser }),
    ...(entry !== undefined && {
      start: { entry, nodeArguments: listed?.start?.slice(0, -1) ?? [] },
    }),
  });
}

function build(): void {
  // The build's output goes to stderr, because stdout may be JSON.
  const { status } = spawnSync('npm', ['run', 'build', '--silent'], {
    cwd: siteFolder,
    env: childEnv({ PLATFORM_INTERNAL_URL: `http://${hostAtBuild}` }),
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('`npm run build` failed, so the proof could not run.');
}

/** Settings for loading the build: modules may read them on import. No address is called. */
function settingsToLoad(own: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return childEnv({
    NODE_ENV: 'production',
    PLATFORM_INTERNAL_URL: 'http://127.0.0.1:4001',
    SITE_ORIGIN: 'http://site.localhost:4000',
    PLATFORM_FRAME_ANCESTORS: 'http://platform.localhost:4000',
    AUTH_SECRET: 'a placeholder key that signs nothing',
    SMTP_URL: 'off',
    ...own,
  });
}

async function writePage(file: string, html: string): Promise<void> {
  const place = path.resolve(file);
  await mkdir(path.dirname(place), { recursive: true });
  await writeFile(place, html);
}

function jsonReport(proof: Gathered): string {
  const { auth, findings, outcomes, notSelected, excused } = proof;
  const explained = findings.map((finding) => ({ ...finding, ...adviceOn(finding.code, auth) }));
  const report = {
    holds: holds(proof),
    findings: explained,
    routes: outcomes,
    notSelected,
    excused,
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}
