/** The program of an author's folder, as `mcp-server/main.ts`. There is no service beside it, so it serves the example. */
import { serve } from '../../src/serve.ts';

await serve(import.meta.url);
