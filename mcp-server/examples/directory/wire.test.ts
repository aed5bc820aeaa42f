/** What a client sees of the tools, on the record: each change of it shows in review. */
import { describe } from 'vitest';
import { expectRecorded } from '../../test/doubles/wire-record.ts';
import { createExampleService } from './service.ts';
import { exampleSettings } from './settings.ts';

describe('the tools [M02 M04 M07 M08 M27]', () => {
  expectRecorded(createExampleService(exampleSettings.parse({})), import.meta.url);
});
