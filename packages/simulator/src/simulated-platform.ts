/** A platform on this machine, its faults, and its ledger of the site's calls. */
export { cleanInboundHeaders } from './edge/edge-headers.ts';
export { harmlessHeaders, identityHeaders } from './edge/identity-headers.ts';
export { FAULT_TABLE, type FaultInput, type FaultKind } from './internal-api/faults.ts';
export { VIOLATIONS, type CallEntry, type LedgerEntry } from './internal-api/ledger.ts';
export { machineThatTook, type OnThisMachine } from './machine.ts';
export { startPlatform, type Platform, type PlatformOptions } from './platform.ts';
