/** What is wrong with a tarball, before anybody installs it. */
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** The complaints of publint, and those of “Are the types wrong?” that concern ES modules. */
export async function complaints(tarball: Buffer): Promise<string[]> {
  const data = new Uint8Array(tarball);
  const { messages, pkg } = await publint({
    pack: { tarball: data.buffer },
    level: 'warning',
    strict: true,
  });
  const result = await checkPackage(createPackageFromTarballData(data));
  const problems = result.types ? result.problems : [];
  return [
    ...messages.map((message) => formatMessage(message, pkg) ?? message.code),
    // A program alone has no entries, and needs none.
    ...(result.types || !pkg.exports ? [] : ['There are no types.']),
    // The profile `esm-only`.
    ...problems
      .filter(
        (problem) =>
          !('resolutionKind' in problem) || !/^node(10|16-cjs)$/.test(problem.resolutionKind),
      )
      .filter(
        (problem) => !('resolutionOption' in problem) || problem.resolutionOption !== 'node10',
      )
      .map((problem) => JSON.stringify(problem)),
  ];
}
