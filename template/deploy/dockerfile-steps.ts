/**
 * Runs the steps of a Dockerfile without Docker: each stage is an empty folder, COPY copies and RUN runs. What only
 * Docker can do (base image, USER) is parsed, not executed. The site's image is tested with it too.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, realpath, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface Step {
  readonly instruction: string;
  readonly rest: string;
}

/** The state of a stage. */
export interface Stage {
  /** The root of the container. */
  readonly folder: string;
  workdir: string;
  readonly env: Record<string, string>;
}

export interface Image {
  /**
   * Every stage by its name, the last one as `final`. A folder that a later stage copied is moved out of the
   * earlier one.
   */
  readonly stages: ReadonlyMap<string, Stage>;
  /** The arguments of CMD and HEALTHCHECK. */
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
  /** Base image and user of the last stage. */
  readonly base: string | undefined;
  readonly user: string | undefined;
  remove(): Promise<void>;
}

/** The environment of a shell in a new container, with npm's cache. */
export const containerEnvironment = {
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  // The site's type definitions require NODE_ENV, which the base image sets in a container.
} as unknown as NodeJS.ProcessEnv;

/**
 * @param context The folder that is copied from.
 * @param file The Dockerfile in it.
 * @param ignore What of the folder is not copied.
 * @throws Error for a step that fails, and for an unknown instruction.
 */
export async function runDockerfile(
  context: string,
  file = 'Dockerfile',
  ignore = '.dockerignore',
): Promise<Image> {
  const steps = stepsOf(readFileSync(path.join(context, file), 'utf8'));
  const isInContext = filterOf(context, readFileSync(path.join(context, ignore), 'utf8'));
  const temporary = await realpath(await mkdtemp(path.join(tmpdir(), 'dockerfile-')));
  const remove = () => rm(temporary, { recursive: true, force: true });
  const stages = new Map<string, Stage>();
  let last: { base?: string; user?: string } = {};
  let command: string[] = [];
  let healthcheck: string[] = [];
  let stage: Stage | undefined;
  try {
    for (const { instruction, rest } of steps) {
      if (instruction === 'FROM') {
        const [, name = 'final'] = /\bAS (\S+)$/i.exec(rest) ?? [];
        stage = { folder: path.join(temporary, name), workdir: '/', env: {} };
        stages.set(name, stage);
        last = { base: rest };
        await mkdir(stage.folder);
        continue;
      }
      if (!stage) throw new Error(`${instruction} stands before FROM.`);
      if (instruction === 'WORKDIR') {
        stage.workdir = rest;
        await mkdir(path.join(stage.folder, rest), { recursive: true });
      } else if (instruction === 'ENV') {
        for (const [, name = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g)) {
          stage.env[name] = value;
        }
      } else if (instruction === 'COPY') {
        await copy(rest, { context, isInContext, stage, stages });
      } else if (instruction === 'RUN') await shell(rest, stage);
      else if (instruction === 'CMD') command = JSON.parse(rest) as string[];
      else if (instruction === 'HEALTHCHECK') {
        healthcheck = JSON.parse(rest.slice(rest.indexOf('['))) as string[];
      } else if (instruction === 'USER') last.user = rest;
      else if (instruction !== 'EXPOSE') throw new Error(`${instruction} is not run here.`);
    }
  } catch (error) {
    await remove();
    throw error;
  }
  return { stages, command, healthcheck, base: last.base, user: last.user, remove };
}

function stepsOf(dockerfile: string): Step[] {
  return dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => /^([A-Z]+)\s+(.*)$/.exec(line.trim()))
    .flatMap((found) => (found ? [{ instruction: found[1] ?? '', rest: found[2] ?? '' }] : []));
}

/** Returns a filter for the build context by the patterns of `.dockerignore`. */
function filterOf(context: string, ignore: string): (file: string) => boolean {
  const patterns = ignore
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => {
      const pattern = line.replace(/^!/, '');
      const source = pattern.replaceAll(/\*\*\/|[*.]/g, (part) =>
        part === '.' ? String.raw`\.` : part === '*' ? '[^/]*' : '(.*/)?',
      );
      return { pattern: new RegExp(`^${source}$`), isException: line.startsWith('!') };
    });
  return (file) => {
    const name = path.relative(context, file);
    const last = patterns.findLast(({ pattern }) => pattern.test(name));
    return name === '' || (last?.isException ?? true);
  };
}

interface Copying {
  readonly context: string;
  readonly isInContext: (file: string) => boolean;
  readonly stage: Stage;
  readonly stages: ReadonlyMap<string, Stage>;
}

async function copy(rest: string, { context, isInContext, stage, stages }: Copying): Promise<void> {
  const words = rest.split(/\s+/);
  const [, from] = /^--from=(\S+)$/.exec(words[0] ?? '') ?? [];
  const source = from === undefined ? context : (stages.get(from)?.folder ?? '');
  const names = words
    .slice(from === undefined ? 0 : 1, -1)
    .flatMap((name) => (name.endsWith('*') ? matching(source, name) : [name]));
  const to = path.join(stage.folder, path.resolve(stage.workdir, words.at(-1) ?? ''));
  for (const name of names) {
    const isWhole = name === '.' || !words.at(-1)?.endsWith('/');
    const target = isWhole ? to : path.join(to, path.basename(name));
    // Moved instead of copied, which is instant: no later step reads the earlier stage.
    if (from !== undefined) await rename(path.join(source, name), target);
    else await cp(path.join(source, name), target, { recursive: true, filter: isInContext });
  }
}

/** Returns the names that a pattern with a final `*` matches. As for Docker, none is no error. */
function matching(source: string, pattern: string): string[] {
  return readdirSync(source).filter((name) => name.startsWith(pattern.slice(0, -1)));
}

async function shell(line: string, stage: Stage): Promise<void> {
  await run('sh', ['-c', line.replaceAll(/^(--\S+\s+)+/g, '')], {
    cwd: path.join(stage.folder, stage.workdir),
    env: { ...containerEnvironment, ...stage.env },
    maxBuffer: 16 * 1024 * 1024,
  });
}
