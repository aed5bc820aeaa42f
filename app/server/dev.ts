/** The site in development. Read once, unlike `site.ts`. */
import { develop } from 'site-server/dev';

await develop({ program: import.meta.url, site: '/app/server/site.ts' });
