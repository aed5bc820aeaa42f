/** `npx gatehouse update`: fetches a release, whose own program then moves the site to it. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installed } from '../install.ts';
import { Refusal } from '../request/refusal.ts';
import { fetchRelease } from './release.ts';
import { finishWriting } from '../write.ts';

const usage = 'npx gatehouse update [version] [--from folder] [--dry-run] [--no-install]';

const about = `Moves this site to a release, the latest by default. What you did not edit is replaced, what you edited is merged.
--from takes the release from a folder of tarballs instead of npm's registry; --dry-run only reports.
Git undoes it; docs/releases.md says what a release may change.`;

/**
 * @param argv - The command's arguments.
 * @returns what it prints, and whether it left nothing to the site's owner.
 * @throws {Refusal} if it changes nothing, and tells why.
 */
export async function updateCommand(
  root: string,
  argv: readonly string[],
): Promise<{ text: string; isComplete: boolean }> {
  const { values, positionals } = parse(argv);
  if (values.help) return { text: `${usage}\n\n${about}`, isComplete: true };
  const install = values.install ?? true;
  if (await finishWriting(root)) {
    const next = await nextSteps(root, install, true);
    return {
      text: ['Finished   the update that was broken off', ...next].join('\n'),
      isComplete: true,
    };
  }
  const from = values.from === undefined ? undefined : path.resolve(root, values.from);
  const { release, program } = await fetchRelease(positionals[0] ?? 'latest', from);
  const { report, isChanged, isComplete } = await program.update({
    root,
    release,
    earlier: async (version) => (await fetchRelease(version, from)).release,
    isDry: values['dry-run'] ?? false,
  });
  const next = isChanged ? await nextSteps(root, install, isComplete) : [];
  return { text: [report, ...next].join('\n'), isComplete };
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
    throw new Refusal(`${error instanceof Error ? error.message : String(error)}: ${usage}`);
  }
}

async function nextSteps(root: string, install: boolean, isComplete: boolean): Promise<string[]> {
  const isInstalled = install && (await installed(root));
  return [
    ...(install && !isInstalled ? ['Left       npm install, which failed'] : []),
    'Undo       git stash --include-untracked -- . && npm install',
    `Next       ${isComplete ? '' : 'decide what is listed, '}${isInstalled ? '' : 'npm install, '}npm test, commit`,
  ];
}
