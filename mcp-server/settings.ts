/** The environment variables of this service. `--help` lists them. */
import { baseUrl, secret, wholeNumber } from '@gatehouse/mcp';
import { z } from 'zod';

export const settings = z.object({
  EXAMPLE_API_BASE_URL: baseUrl.default('http://127.0.0.1:4010').describe('The wrapped service.'),
  EXAMPLE_API_TOKEN: secret
    .optional()
    .describe('The credential for it, of callers who connected no account.'),
  EXAMPLE_API_TIMEOUT_MS: wholeNumber(100, 600_000)
    .default(30_000)
    .describe('Milliseconds for a whole call of it.'),
});
