/** What a site's `e2e/site.ts` and its platform's operations are written with. */
export { fileAnswer, jsonAnswer } from './answers.ts';
export { createClock, type Clock } from './clock.ts';
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
} from './definition.ts';
export { callTicket } from './people/call-ticket.mjs';
export { displayName, type Persona, type PersonaBook } from './people/personas.ts';
export { TICKET_HEADER } from './people/tickets.ts';
