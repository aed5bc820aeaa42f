/** The development server. Loaded once, unlike `site.ts`, which is reloaded. */
import { develop } from '@gatehouse/server/dev';

await develop({ program: import.meta.url, site: '/app/server/site.ts' });
