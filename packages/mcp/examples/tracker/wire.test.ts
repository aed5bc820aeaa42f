/** Records what clients see of the tools, so that each change shows up in review. */
import { expectRecorded } from '@gatehouse/mcp/testing/wire-record';
import { createTrackerService } from './service.ts';

expectRecorded(createTrackerService({ baseUrl: 'http://127.0.0.1', key: 'k' }), import.meta.url);
