/** What a site's `e2e/site.ts` is written with, and the platform's operations. */
export {
  defineSite,
  type AccountParts,
  type AuthMode,
  type ExampleRequest,
  type SiteAccounts,
  type SiteDefinition,
} from './definition.ts';
export * from './operations.ts';
export { callTicket } from './people/call-ticket.mjs';
export { TICKET_HEADER } from './people/tickets.ts';
