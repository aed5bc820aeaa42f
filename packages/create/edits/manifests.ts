/** Updates `package.json` for features that go. */
import { isIn } from '../features.ts';

export interface Manifest {
  name?: string;
  version?: string;
  description?: string;
  license?: string;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  [field: string]: unknown;
}

export function declared(manifest: Manifest = {}): Record<string, string> {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  return { ...dependencies, ...devDependencies, ...optionalDependencies };
}

/** What goes from a manifest: workspaces in `places`, dependencies and scripts by their names. */
export interface Unneeded {
  places: readonly string[];
  dependencies: readonly string[];
  scripts: readonly string[];
}

export function slimmer(manifest: Manifest, { places, dependencies, scripts }: Unneeded): Manifest {
  const without = <Value>(names: readonly string[], entries: Record<string, Value>) =>
    Object.fromEntries(Object.entries(entries).filter(([name]) => !names.includes(name)));
  return Object.fromEntries(
    Object.entries(manifest).map(([field, value]) => {
      if (field === 'scripts') {
        const rest = Object.entries(without(scripts, manifest.scripts ?? {}));
        return [
          field,
          Object.fromEntries(rest.map(([name, run]) => [name, withoutParts(run, scripts)])),
        ];
      }
      if (field === 'workspaces' && Array.isArray(value)) {
        const rest = value.filter((place: string) => !isIn(places, place.replace(/\/\*$/, '')));
        // `JSON.stringify` leaves it out.
        return [field, rest.length > 0 ? rest : undefined];
      }
      const isOfPackages = /dependencies$|^overrides$/i.test(field);
      return [
        field,
        isOfPackages ? without(dependencies, value as Record<string, unknown>) : value,
      ];
    }),
  );
}

/** `gatehouse-parts lint bench then flows` without the script `bench`. */
function withoutParts(command: string, scripts: readonly string[]): string {
  const [, program, parts] = /^(gatehouse-parts) (.*)/.exec(command) ?? [];
  if (program === undefined || parts === undefined) return command;
  const groups = parts
    .split(' then ')
    .map((group) => group.split(' ').filter((part) => !scripts.includes(part)))
    .filter((group) => group.length > 0);
  return `${program} ${groups.map((group) => group.join(' ')).join(' then ')}`;
}

/**
 * The MCP server's manifest with its own name. npm uses the full name; the registry's name has a namespace before a slash
 * instead of a scope. The template's author is removed.
 */
export function withMcpServerName(manifest: Manifest, name: string): Manifest {
  return { ...manifest, name, mcpName: registryName(manifest['mcpName'], name), author: undefined };
}

function registryName(former: unknown, name: string): string {
  const [namespace] = String(former).split('/');
  return `${namespace}/${name.replace(/^@.+\//, '')}`;
}
