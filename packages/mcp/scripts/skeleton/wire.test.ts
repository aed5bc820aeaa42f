/** Records what clients see of the tools, so that each change shows up in review. */
import { expectRecorded } from '@gatehouse/mcp/testing/wire-record';
import { createSkeletonService } from './service.ts';
import { skeletonSettings } from './settings.ts';

expectRecorded(createSkeletonService(skeletonSettings.parse({})), import.meta.url);
