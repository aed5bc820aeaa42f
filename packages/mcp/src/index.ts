/** What an author's folder imports. Each signature is in `docs/reference.md`. */

// The program
export { serve } from './serve.ts';

// Definitions
export { optional, reads, tool, writes } from './core/definition/tool.ts';
export { prompt, resource, service } from './core/definition/service.ts';
export { verbatim } from './core/definition/verbatim.ts';
export type { ResourceLink } from './core/definition/tool-definition.ts';
export type {
  PromptContext,
  ResourceContext,
  Service,
} from './core/definition/service-definition.ts';
export type { CallOutcome, ToolCall } from './core/definition/around.ts';

// Settings
export { baseUrl, flag, secret, wholeNumber } from './setting-values.ts';

// What a handler receives
export type { Caller, ElicitReply, GivenSecret, ToolContext } from './core/context/tool-context.ts';
export { Changes } from './core/context/changes.ts';

// The service's API
export { api, request, type ApiState } from './core/upstream/api.ts';
export { shaped } from './core/upstream/response/shaped.ts';
export { path } from './core/upstream/path.ts';
export { createUpstream, type RequestOptions, type Upstream } from './core/upstream/client.ts';
export { createCredentials, type Credentials } from './core/upstream/credentials.ts';
export { searchParams } from './core/upstream/request/query.ts';
export { nextQuery } from './core/upstream/paging/link-header.ts';
export { fromCursor, fromPages } from './core/upstream/paging/windows.ts';

// Results
export { openPage, page } from './core/result/pagination.ts';
export {
  blocks,
  fence,
  line,
  lines,
  nameWithId,
  quote,
  type Markdown,
} from './core/result/markdown.ts';
export { humanTime, oneLine } from './core/result/format.ts';
export { audio, file, image, withMedia } from './core/result/media.ts';
export {
  errorText,
  ToolError,
  UpstreamConnectionError,
  UpstreamResponseError,
  UpstreamStatusError,
  UpstreamTimeoutError,
} from './core/result/errors.ts';
