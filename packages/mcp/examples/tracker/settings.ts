/** The tracker's address and key. */
import { baseUrl, secret } from '@gatehouse/mcp';
import { z } from 'zod';

export const settings = z.object({
  TRACKER_API_BASE_URL: baseUrl.describe('The tracker.'),
  TRACKER_API_KEY: secret.describe('The key for it.'),
});
