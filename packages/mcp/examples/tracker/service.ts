/** An issue tracker with page numbers, an API key header, CSV, uploads, error reasons and slow reports. */
import { defineService, path, type ServiceDefinition, wrapService } from '@gatehouse/mcp';
import { commentsResource, issueResource, screenshotResource } from './resources/issues.ts';
import { trackerSettings, type TrackerSettings } from './settings.ts';
import { createTrackerState, type TrackerState } from './state.ts';
import { addComment } from './tools/add-comment.ts';
import { attachFile } from './tools/attach-file.ts';
import { closeIssue } from './tools/close-issue.ts';
import { createIssue } from './tools/create-issue.ts';
import { exportIssues } from './tools/export-issues.ts';
import { getIssue } from './tools/get-issue.ts';
import { listIssues } from './tools/list-issues.ts';
import { makeReport } from './tools/make-report.ts';

export function createTrackerService(settings: TrackerSettings): ServiceDefinition<TrackerState> {
  return defineService({
    name: 'tracker_mcp',
    title: 'Issue tracker',
    instructions:
      'The issues of the tracker. To find one, list them by label; then read or change it.',
    tools: [
      listIssues,
      getIssue,
      createIssue,
      closeIssue,
      addComment,
      attachFile,
      exportIssues,
      makeReport,
    ],
    resources: [issueResource, commentsResource, screenshotResource],
    prompts: [],
    credentialVariable: 'TRACKER_API_KEY',
    start() {
      const state = createTrackerState(settings);
      return {
        state,
        credentials: state.credentials,
        isReady: (signal) => state.upstream.isReady(path`/issues`, signal),
        stop: () => state.upstream.close(),
      };
    },
  });
}

export default wrapService({ settings: trackerSettings, createService: createTrackerService });
