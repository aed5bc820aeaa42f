/** The tests of the template as a whole. */
import path from 'node:path';
import { siteTests } from '@gatehouse/server/vitest';

export default siteTests(path.dirname(import.meta.dirname), {
  include: ['template/**/*.test.{ts,tsx}'],
});
