/** The server as a desktop application installs it: `manifest.json` of an MCP bundle. */
import type { ListedTool } from '../../src/core/definition/registry/registry.ts';
import type { SettingDescription } from '../../src/env.ts';
import type { PackageManifest } from './manifest.ts';

/** What is served, as far as a person is told before they install it. */
export interface Served {
  readonly title: string;
  readonly tools: readonly Pick<ListedTool, 'name' | 'title'>[];
  readonly prompts: readonly object[];
  /** Of the server and of the service. */
  readonly settings: readonly SettingDescription[];
}

/**
 * The application asks its user for what is a setting over stdio, and keeps the secret ones apart.
 *
 * @returns Of the format's version 0.3: what applications install that were not updated lately.
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
    // Their texts are made when they are asked for.
    ...(served.prompts.length > 0 && { prompts_generated: true }),
    compatibility: {
      platforms: ['darwin', 'linux', 'win32'],
      runtimes: { node: engines.node },
    },
    user_config: Object.fromEntries(settings.map((one) => [keyOf(one.name), question(one)])),
  };
}

/** Of its file, too: without the scope that a package may have. */
export function bundleName({ name }: Pick<PackageManifest, 'name'>): string {
  return name.replace(/^@.+\//, '');
}

const keyOf = (setting: string) => setting.toLowerCase();

function question({ name, description, isRequired, isSecret, default: unset }: SettingDescription) {
  return {
    // A number and a flag too are text in the environment, and checked by the server.
    type: 'string',
    title: name,
    description,
    required: isRequired,
    ...(isSecret && { sensitive: true }),
    // Without one the server would be given the placeholder itself. To the server an empty value is none.
    ...(!isRequired && { default: unset ?? '' }),
  };
}
