/** Records what clients see of the tools, so that each change shows up in review. */
import { describe } from 'vitest';
import { expectRecorded } from '@gatehouse/mcp/testing/wire-record';
import service from './service.ts';

describe('the tools [M02 M04 M07 M08 M27]', () => {
  expectRecorded(service, import.meta.url, { list: 2_600 });
});
