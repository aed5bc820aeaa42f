/** Generates `manifest.json` of an MCP bundle, which desktop applications install. */
import type { ListedTool } from '../../src/core/definition/registry/registry.ts';
import type { SettingDescription } from '../../src/env.ts';
import type { PackageManifest } from './manifest.ts';

/** The part of the server that is shown to a user before the installation. */
export interface Served {
  readonly title: string;
  readonly tools: readonly Pick<ListedTool, 'name' | 'title'>[];
  /** Whether other settings turn on other tools. */
  readonly hasToolsBySettings: boolean;
  readonly prompts: readonly object[];
  /** Of the server and of the service. */
  readonly settings: readonly SettingDescription[];
}

/**
 * Generates a manifest in which the application asks its user for the settings for stdio, and stores secrets
 * separately.
 *
 * @returns A manifest of version 0.3 of the format, which older applications support too.
 */
export function bundleManifest(manifest: PackageManifest, served: Served) {
  const { version, description, license, engines } = manifest;
  const settings = served.settings.filter(({ isForHttp }) => !isForHttp);
  return {
    manifest_version: '0.3',
    name: bundleName(manifest),
    display_name: served.title,
    version,
    description,
    author: { name: manifest.author },
    license,
    server: {
      type: 'node',
      entry_point: 'dist/main.js',
      mcp_config: {
        command: 'node',
        args: ['${__dirname}/dist/main.js'],
        env: Object.fromEntries(
          settings.map(({ name }) => [name, `\${user_config.${keyOf(name)}}`]),
        ),
      },
    },
    tools: served.tools.map(({ name, title }) => ({ name, description: title })),
    ...(served.hasToolsBySettings && { tools_generated: true }),
    // The prompts' texts are generated at run time.
    ...(served.prompts.length > 0 && { prompts_generated: true }),
    compatibility: {
      platforms: ['darwin', 'linux', 'win32'],
      runtimes: { node: engines.node },
    },
    user_config: Object.fromEntries(
      settings.map((setting) => [keyOf(setting.name), question(setting)]),
    ),
  };
}

/** Returns the name of the bundle and of its file: the package's name without its scope. */
export function bundleName({ name }: Pick<PackageManifest, 'name'>): string {
  return name.replace(/^@.+\//, '');
}

const keyOf = (setting: string) => setting.toLowerCase();

function question(setting: SettingDescription) {
  const { name, description, isRequired, isSecret, isFlag, default: unset } = setting;
  const isBoolean = isFlag && !isSecret;
  return {
    // The environment contains text only; the server validates numbers. A flag is written as true or false.
    type: isBoolean ? 'boolean' : 'string',
    title: name,
    description,
    required: isRequired,
    ...(isSecret && { sensitive: true }),
    // Without a default, the server would receive the placeholder itself. It treats an empty value as unset.
    ...(!isRequired && { default: isBoolean ? unset === '1' : (unset ?? '') }),
  };
}
