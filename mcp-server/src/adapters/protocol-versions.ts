/** The protocol's revisions that the SDK speaks. */
import {
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js';

export const protocolVersions: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS;

/** The answer to what a client asked for in `initialize`: the same if it is spoken here, else the newest. */
export function agreedVersion(requested: unknown): string {
  return protocolVersions.find((version) => version === requested) ?? LATEST_PROTOCOL_VERSION;
}
