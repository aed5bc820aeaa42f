/** Records what clients see of the tools, so that each change shows up in review. */
import { expectRecorded } from '@gatehouse/mcp/testing/wire-record';
import service from './service.ts';

expectRecorded(service, import.meta.url, {
  environment: { TRACKER_API_BASE_URL: 'http://127.0.0.1', TRACKER_API_KEY: 'k' },
});
