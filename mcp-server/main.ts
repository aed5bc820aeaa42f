#!/usr/bin/env node
/** The command line: this server, around the service in `src/services/`, or the example while there is none. */
import { serve } from '@gatehouse/mcp/serve';

await serve(import.meta.url);
