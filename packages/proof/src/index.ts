/** Proves of a site, route by route, that the boundary to its platform holds. */
export { findingMeanings, type Finding, type FindingCode } from './findings/finding.ts';
export { readBuiltRoutes } from './inventory/built-routes.ts';
export { prove } from './prove.ts';
export { adviceOn } from './report/advice.ts';
