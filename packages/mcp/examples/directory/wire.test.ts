/** Records what clients see of the tools, so that each change shows up in review. */
import { describe } from 'vitest';
import { expectRecorded } from '@gatehouse/mcp/testing/wire-record';
import { createExampleService } from './service.ts';
import { exampleSettings } from './settings.ts';

describe('the tools [M02 M04 M07 M08 M27]', () => {
  expectRecorded(createExampleService(exampleSettings.parse({})), import.meta.url, { list: 2_600 });
});
