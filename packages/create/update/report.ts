/** What an update says that it did. */
import { isIn } from '../features.ts';
import type { Files } from '../plan.ts';
import { vendorFolder } from '../vendor.ts';
import { isLock, isSame, type Merged } from './merge.ts';
import { compareVersions } from '../versions.ts';
import type { Release } from './release.ts';

export interface Reported {
  /** The version that the site was of. */
  from: string;
  release: Release;
  ours: Files;
  theirs: Files;
  after: Files;
  merged: Merged;
  /** What codemods did. */
  edits: readonly string[];
  isDry: boolean;
}

/** @returns its lines. */
export function reportOf({
  from,
  release,
  ours,
  theirs,
  after,
  merged,
  edits,
  isDry,
}: Reported): string[] {
  const written = [...after].filter(([file, content]) => !isSame(ours.get(file), content));
  const released = written.filter(
    ([file, content]) =>
      !isIn([vendorFolder], file) && !isLock(file) && isSame(theirs.get(file), content),
  );
  const added = released.filter(([file]) => !ours.has(file));
  const removed = [...ours.keys()].filter(
    (file) => !isIn([vendorFolder], file) && !after.has(file),
  );
  const packages = written.filter(([file]) => isIn([vendorFolder], file) && file.endsWith('.tgz'));
  const changes = changesBetween(release, from);
  const sides = `this site from release ${from} to ${release.version}`;
  return [
    ...listed(isDry ? 'Would move' : 'Moved', [sides]),
    ...listed('Packages', [`${packages.length} in ${vendorFolder}/`]),
    ...listed('Files', [
      `${released.length - added.length} replaced, ${added.length} new, ${removed.length} removed`,
    ]),
    ...listed('Edited', edits),
    ...listed('Merged', merged.both),
    ...listed(
      'Conflict',
      merged.conflicts.map((file) => `${file}: see the lines at <<<<<<<`),
    ),
    ...listed('Left', merged.left),
    ...(changes === '' ? [] : ['', changes, '']),
  ];
}

function listed(title: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => `${(index === 0 ? title : '').padEnd(11)}${line}`);
}

/** The changelog's sections of the releases after a version. */
function changesBetween({ files, version: to }: Release, from: string): string {
  const text = Buffer.from(files.get('CHANGELOG.md') ?? '').toString();
  const sections = text.split(/^(?=## )/m).filter((section) => {
    const [, version] = /^## \[?(\d+\.\d+\.\d+[^\]\s]*)/.exec(section) ?? [];
    return (
      version !== undefined &&
      compareVersions(version, from) > 0 &&
      compareVersions(version, to) <= 0
    );
  });
  return sections.join('').trim();
}
