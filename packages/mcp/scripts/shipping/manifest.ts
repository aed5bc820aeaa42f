/** Reads the server's metadata from `package.json`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface PackageManifest {
  /** The package's name on npm. */
  readonly name: string;
  /** The name in the MCP registry, which verifies ownership by comparing it with this field of the npm package. */
  readonly mcpName: string;
  readonly version: string;
  /** At most 100 characters, the registry's limit. */
  readonly description: string;
  readonly license: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
  readonly author: string;
}

/** @param folder The folder of the server. */
export function readPackageManifest(folder: string): PackageManifest {
  const text = readFileSync(path.join(folder, 'package.json'), 'utf8');
  return JSON.parse(text) as PackageManifest;
}
