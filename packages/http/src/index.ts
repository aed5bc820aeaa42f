/** What Node's HTTP server leaves to its users. */
export { createDrain, stopAccepting } from './drain.ts';
export { serializePipelined } from './pipelining.ts';
export { closeIfUnread, declaresBody, endWith, isFullySent, linger } from './unread-body.ts';
export { handleUpgrades, offersWebSocket, type Connection, type Upgrades } from './upgrades.ts';
