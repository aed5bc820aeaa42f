/** Resources: list, match by template, and read (M19, M20, M25). */
import { z } from 'zod';
import {
  errorText,
  isUnexpected,
  ToolError,
  UpstreamStatusError,
} from '../../core/result/errors.ts';
import type { ResourceDefinition } from '../../core/definition/service-definition.ts';
import type { Call, Handler } from '../connection.ts';
import { codes, echo, parseParams, ProtocolError, refuseCursor } from '../protocol-error.ts';
import { matchedResource, readContents } from '../context/read-resource.ts';
import { RequestContext } from '../context/request-context.ts';

const pageSize = 100;

/** Lists one page. The cursor is the number of resources before it. */
export const listResources: Handler = async (params, call) => {
  const { cursor = '0' } = parseParams(listParams, params);
  const context = new RequestContext(call);
  const lists = await Promise.all(
    call.runtime.service.resources.map(async (resource) => {
      const listed = resource.list ? await resource.list(context) : fixedOf(resource);
      return listed.map((entry) => ({ ...entry, mimeType: resource.mimeType }));
    }),
  ).catch(asProtocolError(call));
  const resources = lists.flat();
  const start = Number(cursor);
  const end = start + pageSize;
  return {
    resources: resources.slice(start, end),
    ...(end < resources.length && { nextCursor: String(end) }),
    ...(call.connection.mode === 'modern' && { ttlMs: shortestOf(call.runtime.service.resources) }),
  };
};

const isTemplate = (uri: string) => uri.includes('{');

/** A resource without variables is listed itself. */
function fixedOf({ uri, name, title, description }: ResourceDefinition): readonly object[] {
  return isTemplate(uri) ? [] : [{ uri, name, title, description }];
}

/** Returns the shortest lifetime of any part of the list. */
function shortestOf(resources: readonly ResourceDefinition[]): number {
  return Math.min(...resources.map(({ ttlMs = 0 }) => ttlMs));
}

const listParams = z.object({
  cursor: z
    .string()
    .regex(/^\d{1,9}$/)
    .optional(),
});

export const listResourceTemplates: Handler = (params, { runtime }) => {
  refuseCursor(params);
  return {
    resourceTemplates: runtime.service.resources
      .filter(({ uri }) => isTemplate(uri))
      .map(({ name, title, description, uri, mimeType }) => ({
        name,
        title,
        description,
        uriTemplate: uri,
        mimeType,
      })),
  };
};

const readParams = z.object({ uri: z.string() });

export const readResource: Handler = async (params, call) => {
  const { uri } = parseParams(readParams, params);
  const context = new RequestContext(call);
  const contents = await readContents(
    uri,
    call.runtime,
    context,
    call.runtime.limits.mediaBytes,
  ).catch(asProtocolError(call, uri));
  if (!contents) throw notFound(uri);
  if (call.connection.mode !== 'modern') return { contents };
  const { ttlMs = 0 } = matchedResource(uri, call.runtime)?.definition ?? {};
  return { contents, ttlMs };
};

/**
 * Maps an error that a service threw while it read, listed or completed. Uses the text from the tools' error table,
 * but as a protocol error, because a resource has no error result.
 */
export function asProtocolError({ runtime, extra }: Call, uri?: string): (error: unknown) => never {
  return (error) => {
    if (extra.signal.aborted || error instanceof ProtocolError) throw error;
    if (uri !== undefined && error instanceof UpstreamStatusError && error.status === 404) {
      throw notFound(uri);
    }
    const text = errorText(error).replace(/^Error: /, '');
    if (uri !== undefined && error instanceof ToolError) {
      throw new ProtocolError(codes.resourceNotFound, text);
    }
    if (isUnexpected(error)) runtime.log.error('A resource failed unexpectedly', { error });
    throw new ProtocolError(codes.internalError, text);
  };
}

function notFound(uri: string): ProtocolError {
  return new ProtocolError(codes.resourceNotFound, 'Resource not found', { uri: echo(uri) });
}
