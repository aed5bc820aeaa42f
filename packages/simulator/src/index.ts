/** What a site's `e2e/site.ts` is written with. */
export {
  type AccountParts,
  type AuthMode,
  type CrawlParts,
  type ExampleRequest,
  type Operation,
  type PlatformDefinition,
  type PrepareParts,
  type PublishedRows,
  type SiteAccounts,
  type SiteDefinition,
} from './definition.ts';
export { defineSite, type SiteFeature } from './site-features.ts';
export { callTicket } from './people/call-ticket.mjs';
export { TICKET_HEADER } from './people/tickets.ts';
