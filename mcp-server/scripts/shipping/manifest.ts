/** What `package.json` says of the server, for what is made from it. */
import { readFileSync } from 'node:fs';

export interface PackageManifest {
  /** On npm. */
  readonly name: string;
  /** In the registry of MCP servers, which asks npm's package for it: who publishes there must own it here. */
  readonly mcpName: string;
  readonly version: string;
  /** The registry takes 100 characters. */
  readonly description: string;
  readonly license: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
  readonly author: string;
}

export function readPackageManifest(): PackageManifest {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return JSON.parse(text) as PackageManifest;
}
