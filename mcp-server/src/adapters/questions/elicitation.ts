/** Asking the user: values by a form in the client (M23), a secret on a page of this server (M30). */
import {
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ElicitResult,
  ElicitResultSchema,
  ErrorCode,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import type {
  Caller,
  ElicitAnswer,
  GivenSecret,
  InputType,
} from '../../core/context/tool-context.ts';
import { ToolError } from '../../core/result/errors.ts';
import { type FormType, formSchemaOf, formValueOf } from '../../core/context/input-types.ts';
import type { Call } from '../connection.ts';

/** @throws ToolError when the client cannot ask or nobody answers; the signal's reason when the call is cancelled. */
export async function elicit(
  call: Call,
  prompt: string,
  inputType: InputType,
): Promise<ElicitAnswer<unknown>> {
  return inputType === 'password' ? askSecret(call, prompt) : askForm(call, prompt, inputType);
}

async function askForm(
  call: Call,
  prompt: string,
  inputType: FormType,
): Promise<ElicitAnswer<unknown>> {
  if (!call.remembered.asks.form) {
    const needed =
      call.connection.mode === 'stateless'
        ? 'a client that shows forms, and speaks MCP 2026-07-28 or is given a session (MCP_SESSIONS=1)'
        : 'a client that shows forms';
    throw new ToolError(
      `The user cannot be asked over this connection. Tell them: it takes ${needed}.`,
    );
  }
  const { action, content } = await ask(call, {
    mode: 'form',
    message: prompt,
    requestedSchema: formSchemaOf(inputType),
  });
  return action === 'accept' ? { action, value: formValueOf(inputType, content) } : { action };
}

async function askSecret(call: Call, prompt: string): Promise<ElicitAnswer<GivenSecret>> {
  const { runtime, connection, remembered, caller, extra } = call;
  const { secretPages } = connection;
  const { credentials } = runtime;
  if (!secretPages || !credentials || !remembered.asks.url) {
    throw new ToolError(noSecretText(call));
  }
  let given: GivenSecret | undefined;
  const page = await secretPages.open({
    prompt,
    ...(caller.name !== undefined && { callerName: caller.name }),
    store(secret) {
      given = credentials.receive(caller, secret);
    },
  });
  const closePage = (): void => {
    page.close();
  };
  extra.signal.addEventListener('abort', closePage);
  try {
    const { action } = await ask(call, {
      mode: 'url',
      message: prompt,
      elicitationId: page.id,
      url: page.url,
    });
    // The client says only that the person agreed to open the page.
    if (action !== 'accept') return { action };
    await page.done;
    if (!given) {
      extra.signal.throwIfAborted();
      throw new ToolError('No secret was given in time. Call this tool again for a new page.');
    }
  } finally {
    extra.signal.removeEventListener('abort', closePage);
    page.close();
  }
  await extra
    .sendNotification({
      method: 'notifications/elicitation/complete',
      params: { elicitationId: page.id },
    })
    .catch(() => undefined);
  return { action: 'accept', value: given };
}

/**
 * What would help where no page can be offered. A secret is never a form's field: forms pass through the
 * client and the model (specification).
 */
export function noSecretText({ runtime, connection, caller }: Call): string {
  const { credentialVariable = 'the credential of its environment' } = runtime.service;
  const forAll = `set or replace ${credentialVariable} where the server runs, and start it again`;
  let needed: string | undefined;
  if (!runtime.credentials) needed = undefined;
  else if (connection.secretPages) needed = 'a client that opens pages (URL mode elicitation)';
  else if (isSessionless(connection) && !isOAuthSubject(caller)) {
    needed = 'a server with sessions (MCP_SESSIONS=1) and a client that opens pages';
  }
  const remedy = needed === undefined ? forAll : `it takes ${needed}; or, for everybody, ${forAll}`;
  return `A secret cannot be asked for safely over this connection. Tell the user: ${remedy}.`;
}

/** What a page keeps would be in one process, and the next request in any. */
function isSessionless({ mode }: Call['connection']): boolean {
  return mode === 'stateless' || mode === 'modern';
}

/** They get no pages, with sessions or without ({@link Connection}). */
function isOAuthSubject({ claims }: Caller): boolean {
  return claims !== undefined;
}

async function ask(
  { extra, runtime }: Call,
  params: ElicitRequestFormParams | ElicitRequestURLParams,
): Promise<ElicitResult> {
  // The SDK listens to the signal for good, and would cancel a question that was answered long ago.
  const asking = new AbortController();
  const stop = (): void => {
    asking.abort(extra.signal.reason);
  };
  extra.signal.throwIfAborted();
  extra.signal.addEventListener('abort', stop);
  try {
    return await extra.sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema, {
      signal: asking.signal,
      timeout: runtime.limits.elicitationMs,
    });
  } catch (error) {
    extra.signal.throwIfAborted();
    const late = error instanceof McpError && error.code === (ErrorCode.RequestTimeout as number);
    throw new ToolError(
      late
        ? 'The user did not answer in time. Call this tool again.'
        : 'The client could not ask the user.',
    );
  } finally {
    extra.signal.removeEventListener('abort', stop);
  }
}
