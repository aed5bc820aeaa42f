/** Makes a site from this repository with each variant of each mistake as a route, and runs its proof. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { findingMeanings, type Finding, type FindingCode } from '@gatehouse/proof';
import { copyRepository, init, type MadeSite } from '../made-sites/made-site';
import { correctRoutes } from './correct-routes';
import { shared, sourceOf, type Mistake, type Variant } from './mistake';

const catchAll = "  route('api/*'";

const emptyRequests = 'requests: () => [\n    // Requests that only scripts send, not forms.\n  ]';

/** A clone with the mistakes, which use the studio's operations, built. */
export async function makeMistakenSite(mistakes: readonly Mistake[]): Promise<MadeSite> {
  const site = await copyRepository({ history: false });
  try {
    await init(site, 'mistaken', '--without', 'mcp');
    for (const [file, code] of Object.entries(shared)) {
      await site.write(`app/mistakes/${file}`, sourceOf(code));
    }
    const routes = [correctRoutes, ...mistakes.map(({ variants }) => variants)];
    const variants = routes.flatMap((some) => Object.entries(some));
    for (const [name, variant] of variants) {
      for (const [kind, code] of sourcesOf(variant)) {
        await site.write(`app/${fileOf(name, kind)}`, sourceOf(code));
      }
    }
    const lines = variants.map(([name, variant]) => `  ${routeOf(name, variant)},\n`);
    await edit(site, 'app/routes.ts', catchAll, lines.join('') + catchAll);
    await edit(site, 'e2e/site.ts', emptyRequests, `requests: () => ${postsOf(variants)}`);
    await site.run('npm', 'run', '--silent', 'build');
    return site;
  } catch (error) {
    await site.remove();
    throw error;
  }
}

type Kind = 'page' | 'layout' | 'api';

function sourcesOf({ page, layout, api }: Variant): [Kind, string][] {
  const all: [Kind, string | undefined][] = [
    ['page', page],
    ['layout', layout],
    ['api', api],
  ];
  return all.flatMap(([kind, code]) => (code === undefined ? [] : [[kind, code]]));
}

/** Relative to `app/`. */
function fileOf(name: string, kind: Kind): string {
  return `routes/mistakes/${name}.${kind}.tsx`;
}

function routeOf(name: string, variant: Variant): string {
  const { layout, api, rest = '' } = variant;
  const [address, file] = api
    ? [`api/mistakes/${name}${rest}`, fileOf(name, 'api')]
    : [`mistakes/${name}${rest}`, fileOf(name, 'page')];
  return layout
    ? `route('${address}', '${fileOf(name, 'layout')}', [index('${file}')])`
    : `route('${address}', '${file}')`;
}

function postsOf(variants: readonly (readonly [string, Variant])[]): string {
  const posts = variants
    .filter(([, { posts }]) => posts)
    .map(([name]) => ({
      method: 'POST' as const,
      path: `/api/mistakes/${name}`,
      json: { prompt: 'A lighthouse' },
    }));
  // TypeScript would widen the type of `method` to string.
  return JSON.stringify(posts).replaceAll('"POST"', '"POST" as const');
}

const proofSchema = z.object({
  findings: z.array(
    z.object({
      code: z.custom<FindingCode>((code) => typeof code === 'string' && code in findingMeanings),
      route: z.string(),
      file: z.string().nullable(),
      message: z.string(),
    }),
  ),
  routes: z.array(z.object({ route: z.string() })),
});

export interface Proof {
  findings: readonly Finding[];
  /** The paths of all routes. */
  routes: readonly string[];
}

/** The result of `npm run boundary` in the site. */
export async function proofOf({ folder }: MadeSite): Promise<Proof> {
  const printed = await new Promise<string>((resolve, reject) => {
    const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 };
    const program = ['run', '--silent', 'boundary', '--', '--built', '--json'];
    execFile('npm', program, options, (error, stdout, stderr) => {
      // The proof exits with 1 when there are findings.
      if (error && error.code !== 1) reject(new Error(`The proof could not run.\n${stderr}`));
      else resolve(stdout);
    });
  });
  const { findings, routes } = proofSchema.parse(JSON.parse(printed));
  return { findings, routes: routes.map(({ route }) => route) };
}

async function edit(site: MadeSite, file: string, place: string, text: string): Promise<void> {
  const before = await readFile(path.join(site.folder, file), 'utf8');
  if (before.split(place).length !== 2)
    throw new Error(`${file} must contain this exactly once: ${place}`);
  await site.write(
    file,
    before.replace(place, () => text),
  );
}
