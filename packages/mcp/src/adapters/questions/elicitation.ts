/** Elicitation: asks for values in a form of the client (M23), and for a secret on a page of this server (M30). */
import type {
  Caller,
  ElicitReply,
  GivenSecret,
  InputType,
} from '../../core/context/tool-context.ts';
import { ToolError } from '../../core/result/errors.ts';
import { type FormType, formSchemaOf, formValueOf } from '../../core/context/input-types.ts';
import type { Call } from '../connection.ts';
import { codes, ProtocolError } from '../protocol-error.ts';
import { type ElicitResult, ElicitResultSchema } from '../sdk.ts';

/**
 * @throws ToolError if the client does not support the question or nobody answers; the abort reason if the call is
 *   cancelled.
 */
export async function elicit(
  call: Call,
  prompt: string,
  inputType: InputType,
): Promise<ElicitReply<unknown>> {
  return inputType === 'password'
    ? elicitSecret(call, prompt)
    : elicitForm(call, prompt, inputType);
}

async function elicitForm(
  call: Call,
  prompt: string,
  inputType: FormType,
): Promise<ElicitReply<unknown>> {
  if (!call.remembered.elicits.form) {
    const needed =
      call.connection.mode === 'stateless'
        ? 'a client that shows forms, and speaks MCP 2026-07-28 or is given a session (MCP_SESSIONS=1)'
        : 'a client that shows forms';
    throw new ToolError(
      `The user cannot be asked over this connection. Tell them: it takes ${needed}.`,
    );
  }
  const { action, content } = await sendElicitation(call, {
    mode: 'form',
    message: prompt,
    requestedSchema: formSchemaOf(inputType),
  });
  return action === 'accept' ? { action, value: formValueOf(inputType, content) } : { action };
}

async function elicitSecret(call: Call, prompt: string): Promise<ElicitReply<GivenSecret>> {
  const { runtime, connection, remembered, caller, extra } = call;
  const { secretPages } = connection;
  const { credentials } = runtime;
  if (!secretPages || !credentials || !remembered.elicits.url) {
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
    const { action } = await sendElicitation(call, {
      mode: 'url',
      message: prompt,
      elicitationId: page.id,
      url: page.url,
    });
    // `accept` only means that the user agreed to open the page.
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
 * Advice for a connection that cannot offer a page. A secret is never a form field, because forms pass through the
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

/** Without sessions, the next request may reach another process, which does not have the page's secret. */
function isSessionless({ mode }: Call['connection']): boolean {
  return mode === 'stateless' || mode === 'modern';
}

/** An OAuth caller gets no page, with sessions or without ({@link Connection}). */
function isOAuthSubject({ claims }: Caller): boolean {
  return claims !== undefined;
}

async function sendElicitation(
  { extra, runtime }: Call,
  params: Readonly<Record<string, unknown>>,
): Promise<ElicitResult> {
  const request = { method: 'elicitation/create', params };
  try {
    return await extra.sendRequest(request, ElicitResultSchema, runtime.limits.elicitationMs);
  } catch (error) {
    extra.signal.throwIfAborted();
    const late = error instanceof ProtocolError && error.code === codes.requestTimeout;
    throw new ToolError(
      late
        ? 'The user did not answer in time. Call this tool again.'
        : 'The client could not ask the user.',
    );
  }
}
