/** `initialize`, the first request of a client in the older era, and the supported revisions. */
import type { Remembered } from '../connection.ts';
import { parseParams } from '../protocol-error.ts';
import { InitializeRequestParamsSchema } from '../sdk.ts';

const newest = '2025-11-25';

/** The supported revisions, the newest first. */
export const protocolVersions: readonly string[] = [
  newest,
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
];

export interface Hello extends Pick<Remembered, 'elicits' | 'revision'> {
  /** The requested revision if it is supported, otherwise the newest. */
  readonly protocolVersion: string;
}

/** @throws ProtocolError (-32602) */
export function readHello(params: unknown): Hello {
  const hello = parseParams(InitializeRequestParamsSchema, params);
  const { form, url } = hello.capabilities.elicitation ?? {};
  const spoken = protocolVersions.includes(hello.protocolVersion);
  const protocolVersion = spoken ? hello.protocolVersion : newest;
  return {
    protocolVersion,
    revision: protocolVersion,
    elicits: { form: form !== undefined, url: url !== undefined },
  };
}
