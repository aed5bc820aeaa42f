/** What a client sees of the tools, on the record: each change of it shows in review. */
import { expectRecorded } from '../../test/doubles/wire-record.ts';
import { createSkeletonService } from './service.ts';
import { skeletonSettings } from './settings.ts';

expectRecorded(createSkeletonService(skeletonSettings.parse({})), import.meta.url);
