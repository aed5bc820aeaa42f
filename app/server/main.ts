/** The site in production: `npm start`. Built by Vite beside the Remix server build. */
import { serveBuild } from 'site-server';
import { site } from './site';

await serveBuild(site, {
  client: new URL('../client', import.meta.url),
  build: () => import('virtual:remix/server-build'),
});
