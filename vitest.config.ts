import { siteTests } from 'site-server/vitest';

export default siteTests(import.meta.dirname);
