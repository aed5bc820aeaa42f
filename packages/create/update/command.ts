/** `npx gatehouse update`: fetches a release, whose own program then moves the site to it. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installed } from '../install.ts';
import { undoing } from '../repository.ts';
import { reasonOf, Refusal } from '../request/refusal.ts';
import { finishWriting, isPending } from '../writing/steps.ts';
import { fetchRelease } from './release.ts';

const usage = 'npx gatehouse update [version] [--from folder] [--dry-run] [--no-install]';

const about = `Moves this site to a release, the latest by default. What you did not edit is replaced, what you edited is merged.
--from takes the release from a folder of tarballs instead of npm's registry; --dry-run only reports.
Git undoes it; docs/releases.md says what a release may change.`;

interface Outcome {
  text: string;
  /** Whether nothing is left to the site's owner. */
  isComplete: boolean;
}

/**
 * @param argv - The command's arguments.
 * @param print - Prints what was done, before `npm install`.
 * @returns what the command prints at its end.
 * @throws {Refusal} if it changes nothing, and tells why.
 */
export async function updateCommand(
  root: string,
  argv: readonly string[],
  print: (text: string) => void,
): Promise<Outcome> {
  const { values, positionals } = parse(argv);
  if (values.help) return { text: `${usage}\n\n${about}`, isComplete: true };
  const { 'dry-run': isDry = false, install = true } = values;
  if (isDry && (await isPending(root))) {
    throw new Refusal('A run was broken off: the next one without --dry-run finishes it.');
  }
  const finished = await finishWriting(root);
  if (finished) {
    print(`Finished   a run that was broken off\n${finished.report}`);
    return nextSteps(root, install, finished.isComplete);
  }
  const from = values.from === undefined ? undefined : path.resolve(root, values.from);
  const { release, program } = await fetchRelease(positionals[0] ?? 'latest', from);
  const { report, isChanged, isComplete } = await program.update({
    root,
    release,
    earlier: async (version) => (await fetchRelease(version, from)).release,
    isDry,
  });
  print(report);
  return isChanged ? nextSteps(root, install, isComplete) : { text: '', isComplete };
}

function parse(argv: readonly string[]) {
  try {
    const parsed = parseArgs({
      args: [...argv],
      allowPositionals: true,
      allowNegative: true,
      options: {
        from: { type: 'string' },
        'dry-run': { type: 'boolean' },
        install: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (parsed.positionals.length > 1) throw new Error('Expected one version');
    return parsed;
  } catch (error) {
    throw new Refusal(`${reasonOf(error)}: ${usage}`);
  }
}

async function nextSteps(root: string, install: boolean, isComplete: boolean): Promise<Outcome> {
  const isInstalled = install && (await installed(root));
  const steps = [
    ...(isComplete ? [] : ['decide what is listed']),
    ...(isInstalled ? [] : ['npm install']),
    'npm test',
    'commit',
  ];
  return {
    text: [
      ...(install && !isInstalled ? ['Left       npm install, which failed'] : []),
      `Undo       ${undoing} && npm install`,
      `Next       ${steps.join(', ')}`,
    ].join('\n'),
    isComplete: isComplete && (isInstalled || !install),
  };
}
