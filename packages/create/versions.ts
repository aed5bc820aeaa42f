/** Versions of releases, as Semantic Versioning orders them. */

const pattern = /^(\d+)\.(\d+)\.(\d+)(?:-([\w.-]+))?$/;

export function isVersion(text: string): boolean {
  return pattern.test(text);
}

/** Negative if the first is older. A pre-release is older than its release. */
export function compareVersions(first: string, second: string): number {
  const [one, other] = [first, second].map((text) => pattern.exec(text)?.slice(1) ?? []);
  const numeric = (a = '', b = '') => a.localeCompare(b, 'en', { numeric: true });
  for (const index of [0, 1, 2]) {
    const order = numeric(one?.[index], other?.[index]);
    if (order !== 0) return order;
  }
  const [before, beforeOther] = [one?.[3], other?.[3]];
  if (before === undefined || beforeOther === undefined) {
    return Number(before === undefined) - Number(beforeOther === undefined);
  }
  return numeric(before, beforeOther);
}
