import { siteTests } from '@gatehouse/server/vitest';

export default siteTests(import.meta.dirname);
