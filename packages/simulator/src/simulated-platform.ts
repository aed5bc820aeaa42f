/** A platform on this machine, its faults, and its ledger of the site's calls. */
export { cleanInboundHeaders } from './edge/edge-headers';
export { harmlessHeaders, identityHeaders } from './edge/identity-headers';
export { FAULT_TABLE, type FaultInput, type FaultKind } from './internal-api/faults';
export { VIOLATIONS, type CallEntry, type LedgerEntry } from './internal-api/ledger';
export { machineThatTook, type OnThisMachine } from './machine';
export { startPlatform, type Platform, type PlatformOptions } from './platform';
