/**
 * What a platform's operations are written with. It imports no server and no browser, so that a site can build the
 * operations into itself and run them in its offline demo.
 */
export { createClock, type Clock } from './clock.ts';
export {
  definePlatform,
  type Operation,
  type OperationCall,
  type PlatformDefinition,
  type StateParts,
} from './definition.ts';
export { runInProcess, type InProcessOptions } from './in-process.ts';
export { displayName, type Persona, type PersonaBook } from './people/personas.ts';
export { joinResources, resourcesOf, type Resource, type StateOf } from './resources.ts';
export { errorResponse, fileResponse, jsonResponse, noContent } from './responses.ts';
