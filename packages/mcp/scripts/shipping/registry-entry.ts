/** Generates `server.json`, the server's entry for the MCP registry. */
import type { SettingDescription } from '../../src/env.ts';
import type { PackageManifest } from './manifest.ts';

/** The revision of `test/shipping/server.schema.json`. */
const schema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/**
 * Lists one npm package for each transport, because clients ask their users for the settings of one transport.
 *
 * @param settings Of the server and of the selected service.
 */
export function registryEntry(manifest: PackageManifest, settings: readonly SettingDescription[]) {
  const { mcpName, name, description, version } = manifest;
  const npm = { registryType: 'npm', identifier: name, version, runtimeHint: 'npx' };
  const variables = (isWanted: (setting: SettingDescription) => boolean) =>
    settings.filter(isWanted).map(environmentVariable);
  return {
    $schema: schema,
    name: mcpName,
    description,
    version,
    packages: [
      {
        ...npm,
        transport: { type: 'stdio' },
        environmentVariables: variables(({ isForHttp }) => !isForHttp),
      },
      {
        ...npm,
        packageArguments: [{ type: 'positional', value: '--http' }],
        transport: { type: 'streamable-http', url: 'http://127.0.0.1:{MCP_PORT}/mcp' },
        environmentVariables: variables(() => true),
      },
    ],
  };
}

function environmentVariable(setting: SettingDescription) {
  const { name, description, isRequired, isSecret, default: unset } = setting;
  return {
    name,
    description,
    ...(isRequired && { isRequired }),
    ...(isSecret && { isSecret }),
    ...(unset !== undefined && unset !== '' && { default: unset }),
  };
}
