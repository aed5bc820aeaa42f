/** `initialize`, the first request of a client in the older era, and the supported revisions. */
import {
  InitializeRequestParamsSchema,
  LATEST_PROTOCOL_VERSION,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js';
import type { Remembered } from '../connection.ts';
import { parseParams } from '../protocol-error.ts';

/** The revisions that the SDK supports. */
export const protocolVersions: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS;

export interface Hello extends Pick<Remembered, 'elicits' | 'revision'> {
  /** The requested revision if it is supported, otherwise the newest. */
  readonly protocolVersion: string;
}

/** @throws ProtocolError (-32602) */
export function readHello(params: unknown): Hello {
  const hello = parseParams(InitializeRequestParamsSchema, params);
  const { form, url } = hello.capabilities.elicitation ?? {};
  const spoken = protocolVersions.includes(hello.protocolVersion);
  const protocolVersion = spoken ? hello.protocolVersion : LATEST_PROTOCOL_VERSION;
  return {
    protocolVersion,
    revision: protocolVersion,
    elicits: { form: form !== undefined, url: url !== undefined },
  };
}
