/** Proves of a site, route by route, that the boundary to its platform holds. */
export { findingMeanings, type Finding, type FindingCode } from './findings/finding';
export { readBuiltRoutes } from './inventory/built-routes';
export { prove } from './prove';
