/** What a site's `e2e/site.ts` and its platform's operations are written with. */
export { fileAnswer, jsonAnswer } from './answers';
export { createClock, type Clock } from './clock';
export {
  definePlatform,
  defineSite,
  type AccountParts,
  type AuthMode,
  type ExampleRequest,
  type Operation,
  type OperationCall,
  type PlatformDefinition,
  type SiteAccounts,
  type SiteDefinition,
} from './definition';
export { callTicket } from './people/call-ticket.mjs';
export { displayName, type Persona, type PersonaBook } from './people/personas';
export { TICKET_HEADER } from './people/tickets';
