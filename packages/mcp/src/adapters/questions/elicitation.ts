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
import type { SecretPage } from './secret-pages.ts';

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
  const requestedSchema = formSchemaOf(inputType);
  const reply = await sendElicitation(call, { mode: 'form', message: prompt, requestedSchema });
  return formReply(reply, inputType);
}

/** Returns what the user answered in a form. @throws ToolError if the answer does not match the input type. */
export function formReply(
  { action, content }: ElicitResult,
  inputType: FormType,
): ElicitReply<unknown> {
  return action === 'accept' ? { action, value: formValueOf(inputType, content) } : { action };
}

async function elicitSecret(call: Call, prompt: string): Promise<ElicitReply<GivenSecret>> {
  if (!call.remembered.elicits.url) throw new ToolError(noSecretText(call));
  const page = await openSecretPage(call, prompt);
  const { id: elicitationId, url } = page;
  const params = { mode: 'url', message: prompt, elicitationId, url };
  const reply = await sendElicitation(call, params)
    .then(({ action }) => secretReply(action, page, call))
    .finally(() => {
      page.close();
    });
  if (reply.action === 'accept') {
    const method = 'notifications/elicitation/complete';
    await call.extra.sendNotification({ method, params: { elicitationId } }).catch(() => undefined);
  }
  return reply;
}

/** @throws ToolError if the connection offers no page. */
export async function openSecretPage(call: Call, prompt: string): Promise<SecretPage> {
  const { runtime, connection, caller } = call;
  const { credentials } = runtime;
  if (!connection.secretPages || !credentials) throw new ToolError(noSecretText(call));
  return connection.secretPages.open({
    prompt,
    ...(caller.name !== undefined && { callerName: caller.name }),
    store: (secret) => credentials.receive(caller, secret),
  });
}

/**
 * Waits for the secret, since `accept` only means that the user agreed to open the page.
 *
 * @param page Undefined if this process has no such page.
 */
export async function secretReply(
  action: ElicitResult['action'],
  page: SecretPage | undefined,
  { extra: { signal } }: Pick<Call, 'extra'>,
): Promise<ElicitReply<GivenSecret>> {
  const close = () => page?.close();
  if (action !== 'accept' || signal.aborted) close();
  if (action !== 'accept') return { action };
  signal.addEventListener('abort', close);
  const value = await page?.done;
  signal.removeEventListener('abort', close);
  signal.throwIfAborted();
  if (value) return { action, value };
  throw new ToolError('No secret was given in time. Call this tool again for a new page.');
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
