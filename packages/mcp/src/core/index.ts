/** What a service imports from the core: `import { defineTool, path, … } from '../../../../mcp-server/core/index.ts'`. */

// Definitions
export { defineTool, type ResourceLink, type ToolAnnotations } from './definition/define-tool.ts';
export {
  definePrompt,
  defineResource,
  defineService,
  wrapService,
  type PromptContext,
  type ResourceContext,
  type ServiceDefinition,
} from './definition/define-service.ts';
export { verbatim } from './definition/verbatim.ts';
export type { CallOutcome, ToolCall } from './definition/around.ts';

// What a handler receives
export type { Caller, ElicitReply, GivenSecret, ToolContext } from './context/tool-context.ts';
export { Changes } from './context/changes.ts';

// The service's API
export { createUpstream, shaped, type RequestOptions, type Upstream } from './upstream/client.ts';
export { createCredentials, type Credentials } from './upstream/credentials.ts';
export { path } from './upstream/path.ts';
export { searchParams } from './upstream/request/query.ts';
export { nextQuery } from './upstream/paging/link-header.ts';
export { fromCursor, fromPages } from './upstream/paging/windows.ts';

// Results
export { blocks, fence, line, lines, nameWithId, quote, type Markdown } from './result/markdown.ts';
export { humanTime, oneLine, responseFormat } from './result/format.ts';
export { limit, offset, openPageShape, pageOf, pageShape } from './result/pagination.ts';
export { audio, file, image, withMedia } from './result/media.ts';
export {
  errorText,
  ToolError,
  UpstreamConnectionError,
  UpstreamResponseError,
  UpstreamStatusError,
  UpstreamTimeoutError,
} from './result/errors.ts';
