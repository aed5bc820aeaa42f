/** The production server: `npm start`. Built by Vite together with the Remix server build. */
import { serveBuild } from '@gatehouse/server';
import { site } from './site';

await serveBuild(site, {
  client: new URL('../client', import.meta.url),
  build: () => import('virtual:remix/server-build'),
});
