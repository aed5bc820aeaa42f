/** An issue tracker with page numbers, an API key header, CSV, uploads, error reasons and slow reports. */
import { api, path, service } from '@gatehouse/mcp';
import { commentsResource, issueResource, screenshotResource } from './resources/issues.ts';
import { settings } from './settings.ts';
import { addComment } from './tools/add-comment.ts';
import { attachFile } from './tools/attach-file.ts';
import { closeIssue } from './tools/close-issue.ts';
import { createIssue } from './tools/create-issue.ts';
import { exportIssues } from './tools/export-issues.ts';
import { getIssue } from './tools/get-issue.ts';
import { listIssues } from './tools/list-issues.ts';
import { makeReport } from './tools/make-report.ts';

export default service({
  name: 'tracker_mcp',
  title: 'Issue tracker',
  instructions:
    'The issues of the tracker. To find one, list them by label; then read or change it.',
  settings,
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
  credentialVariable: 'TRACKER_API_KEY',
  start: (given) =>
    api({
      baseUrl: given.TRACKER_API_BASE_URL,
      token: given.TRACKER_API_KEY,
      credential: { header: 'x-api-key', scheme: '' },
      ready: path`/issues`,
    }),
});
