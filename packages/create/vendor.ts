/** Which packages a made site needs, as tarballs in `vendor/`. */
import path from 'node:path';
import { declared, type Manifest } from './edits/manifests.ts';

export const vendorFolder = 'vendor';

/**
 * @param place - The folder of the manifest, the site's or that of a workspace.
 * @param own - The manifest, without the dependencies that it does not need.
 * @param packages - The packages of the repository, by their folder.
 * @returns the manifest with a tarball in place of each package's version, and the folders of those packages.
 */
export function withVendored(
  place: string,
  own: Manifest,
  packages: ReadonlyMap<string, Manifest>,
): { manifest: Manifest; folders: string[] } {
  const byName = new Map(
    [...packages].map(([folder, manifest]) => [manifest.name, { folder, manifest }]),
  );
  const tarballs = new Map<string, string>();
  const folders: string[] = [];
  const need = (name: string) => {
    const found = byName.get(name);
    if (!found || tarballs.has(name)) return;
    tarballs.set(
      name,
      `file:${path.posix.relative(place, vendorFolder)}/${tarballOf(found.manifest)}`,
    );
    folders.push(found.folder);
    Object.keys(found.manifest.dependencies ?? {}).forEach(need);
  };
  for (const [name, range] of Object.entries(declared(own))) {
    // A later run finds what the first one wrote.
    if (!range.startsWith('file:')) need(name);
  }

  const { dependencies = {}, devDependencies = {} } = own;
  const withTarballs = (of: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(of).map(([name, range]) => [name, tarballs.get(name) ?? range]),
    );
  // npm looks a package's own dependencies up in the registry, unless the site has them.
  const others = [...tarballs].filter(([name]) => !(name in declared(own)));
  return {
    manifest: {
      ...own,
      dependencies: withTarballs({ ...dependencies, ...Object.fromEntries(others) }),
      devDependencies: withTarballs(devDependencies),
    },
    folders,
  };
}

/** The name that npm gives a package's tarball: `@gatehouse/server` becomes `gatehouse-server-0.1.0.tgz`. */
export function tarballOf({ name = '', version = '' }: Manifest): string {
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
}
