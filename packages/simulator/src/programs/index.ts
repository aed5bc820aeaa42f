/** Programs that tests, benchmarks and the proof start: the built site behind a platform. */
export { childEnv } from './env.ts';
export { loadSite } from './load-site.ts';
export { freePort, siteFolder, startProgram, type Program } from './program.ts';
export { startSite, type Site, type SiteOptions } from './site-process.ts';
