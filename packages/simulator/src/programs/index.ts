/** Programs that tests, benchmarks and the proof start: the built site behind a platform. */
export { childEnv } from './env';
export { loadSite } from './load-site';
export { freePort, siteFolder, startProgram, type Program } from './program';
export { startSite, type Site, type SiteOptions } from './site-process';
