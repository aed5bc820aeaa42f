/**
 * A site of this repository with every mistake written into it, each phrasing as a route of its own, and what its
 * proof says of it.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import {
  findingMeanings,
  type Finding,
  type FindingCode,
} from '../../e2e/boundary/findings/finding';
import { copyRepository, init, type MadeSite } from '../made-sites/made-site';
import { honest } from './honest';
import { shared, sourceOf, type Mistake, type Phrasing } from './mistake';

const catchAll = "  route('api/*'";

const emptyRequests = 'requests: () => [\n    // What scripts send, and no form does.\n  ]';

/** Makes and builds it: a clone without samples. */
export async function makeMistakenSite(mistakes: readonly Mistake[]): Promise<MadeSite> {
  const site = await copyRepository({ history: false });
  try {
    await init(site, 'mistaken', '--without', 'studio,mcp');
    for (const [file, code] of Object.entries(shared)) {
      await site.write(`app/mistakes/${file}`, sourceOf(code));
    }
    const routes = [honest, ...mistakes.map(({ phrasings }) => phrasings)];
    const phrasings = routes.flatMap((some) => Object.entries(some));
    for (const [name, phrasing] of phrasings) {
      for (const [kind, code] of sourcesOf(phrasing)) {
        await site.write(`app/${fileOf(name, kind)}`, sourceOf(code));
      }
    }
    const lines = phrasings.map(([name, phrasing]) => `  ${routeOf(name, phrasing)},\n`);
    await edit(site, 'app/routes.ts', catchAll, lines.join('') + catchAll);
    await edit(site, 'e2e/site.ts', emptyRequests, `requests: () => ${postsOf(phrasings)}`);
    await site.run('npm', 'run', '--silent', 'build');
    return site;
  } catch (error) {
    await site.remove();
    throw error;
  }
}

type Kind = 'page' | 'layout' | 'api';

function sourcesOf({ page, layout, api }: Phrasing): [Kind, string][] {
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

function routeOf(name: string, phrasing: Phrasing): string {
  const { layout, api, rest = '' } = phrasing;
  const [address, file] = api
    ? [`api/mistakes/${name}${rest}`, fileOf(name, 'api')]
    : [`mistakes/${name}${rest}`, fileOf(name, 'page')];
  return layout
    ? `route('${address}', '${fileOf(name, 'layout')}', [index('${file}')])`
    : `route('${address}', '${file}')`;
}

function postsOf(phrasings: readonly (readonly [string, Phrasing])[]): string {
  const posts = phrasings
    .filter(([, { posts }]) => posts)
    .map(([name]) => ({
      method: 'POST' as const,
      path: `/api/mistakes/${name}`,
      json: { prompt: 'A lighthouse' },
    }));
  // `method` is one of five words, which JSON alone does not say.
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

/** What `npm run boundary` says of it, as its owner would run it. */
export async function proofOf({ folder }: MadeSite): Promise<Proof> {
  const printed = await new Promise<string>((resolve, reject) => {
    const options = { cwd: folder, maxBuffer: 64 * 1024 * 1024 };
    const program = ['run', '--silent', 'boundary', '--', '--built', '--json'];
    execFile('npm', program, options, (error, stdout, stderr) => {
      // 1 is its answer where there are findings.
      if (error && error.code !== 1) reject(new Error(`The proof broke off.\n${stderr}`));
      else resolve(stdout);
    });
  });
  const { findings, routes } = proofSchema.parse(JSON.parse(printed));
  return { findings, routes: routes.map(({ route }) => route) };
}

async function edit(site: MadeSite, file: string, place: string, text: string): Promise<void> {
  const before = await readFile(path.join(site.folder, file), 'utf8');
  if (before.split(place).length !== 2) throw new Error(`${file} has no one ${place}.`);
  await site.write(
    file,
    before.replace(place, () => text),
  );
}
