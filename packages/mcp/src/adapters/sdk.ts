/** All that is used of the MCP SDK: its schemas, and the types that they describe. */
import type * as sdk from '@modelcontextprotocol/core';
import type { z } from 'zod';

export {
  ElicitResultSchema,
  InitializeRequestParamsSchema,
  PromptReferenceSchema,
  ResourceTemplateReferenceSchema,
} from '@modelcontextprotocol/core';

export type ContentBlock = z.output<typeof sdk.ContentBlockSchema>;
export type ElicitResult = z.output<typeof sdk.ElicitResultSchema>;
export type JSONRPCMessage = z.output<typeof sdk.JSONRPCMessageSchema>;
export type JSONRPCRequest = z.output<typeof sdk.JSONRPCRequestSchema>;
export type JSONRPCResponse = z.output<typeof sdk.JSONRPCResponseSchema>;
export type RequestId = z.output<typeof sdk.RequestIdSchema>;
export type RequestMeta = z.output<typeof sdk.RequestMetaSchema>;
export type ServerCapabilities = z.output<typeof sdk.ServerCapabilitiesSchema>;
export type ServerResult = z.output<typeof sdk.ServerResultSchema>;
