/** The wrapped service: its tools, resources and prompts. */
import { defineService, path, type ServiceDefinition, wrapService } from '@gatehouse/mcp';
import { skeletonSettings, type SkeletonSettings } from './settings.ts';
import { createSkeletonState, type SkeletonState } from './state.ts';
import { listItems } from './tools/list-items.ts';

export function createSkeletonService(
  settings: SkeletonSettings,
): ServiceDefinition<SkeletonState> {
  return defineService({
    name: 'skeleton_mcp',
    title: 'Skeleton',
    // How to use the tools together. The model reads it once, at the start.
    instructions: 'The items of Skeleton. To find one, list them.',
    tools: [listItems],
    resources: [],
    prompts: [],
    credentialVariable: 'SKELETON_API_TOKEN',
    start() {
      const state = createSkeletonState(settings);
      return {
        state,
        credentials: state.credentials,
        isReady: (signal) => state.upstream.isReady(path`/items`, signal),
        stop: () => state.upstream.close(),
      };
    },
  });
}

export default wrapService({ settings: skeletonSettings, createService: createSkeletonService });
