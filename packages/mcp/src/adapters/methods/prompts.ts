/** Prompts: message templates that a user starts from. */
import { z } from 'zod';
import { argumentErrorText } from '../../core/result/argument-errors.ts';
import { errorText, isUnexpected } from '../../core/result/errors.ts';
import type { ResourceContents } from '../../core/context/tool-context.ts';
import type {
  PromptContext,
  PromptDefinition,
  PromptMessage,
  PromptText,
} from '../../core/definition/service-definition.ts';
import type { Call, Handler } from '../connection.ts';
import { contentBlockOf } from '../content.ts';
import { RequestContext } from '../context/request-context.ts';
import type { Runtime } from '../runtime.ts';
import { readKnown } from '../context/read-resource.ts';
import { codes, echo, parseParams, ProtocolError, refuseCursor } from '../protocol-error.ts';

export const listPrompts: Handler = (params, { runtime }) => {
  refuseCursor(params);
  return {
    prompts: runtime.service.prompts.map((prompt) => ({
      name: prompt.name,
      title: prompt.title,
      description: prompt.description,
      arguments: argumentsOf(prompt),
    })),
  };
};

function argumentsOf(prompt: PromptDefinition) {
  return Object.entries(prompt.arguments.shape).map(([name, type]) => ({
    name,
    ...(type.description !== undefined && { description: type.description }),
    required: !type.safeParse(undefined).success,
  }));
}

const getParams = z.object({ name: z.string(), arguments: z.unknown().optional() });

export const getPrompt: Handler = async (params, call) => {
  const { runtime, extra, remembered } = call;
  const { name, arguments: rawArguments = {} } = parseParams(getParams, params);
  const prompt = runtime.service.prompts.find((candidate) => candidate.name === name);
  if (!prompt) throw new ProtocolError(codes.invalidParams, `Unknown prompt: ${echo(name)}`);
  const args = prompt.arguments.safeParse(rawArguments ?? {});
  if (!args.success) {
    // The same text as for a tool's arguments, but as a protocol error, because a prompt has no error result.
    const text = argumentErrorText(prompt.arguments, rawArguments ?? {}).replace(/^Error: /, '');
    throw new ProtocolError(codes.invalidParams, text);
  }
  const rendered = await renderedBy(prompt, args.data, new PromptRequestContext(call));
  const revision = extra.revision ?? remembered.revision;
  const messages: readonly PromptMessage[] =
    typeof rendered === 'string' ? [{ role: 'user', content: rendered }] : rendered;
  return {
    description: prompt.description,
    messages: messages.map(({ role, content }) => ({
      role,
      content:
        typeof content === 'string'
          ? { type: 'text' as const, text: content }
          : contentBlockOf(content, revision),
    })),
  };
};

class PromptRequestContext extends RequestContext implements PromptContext {
  readonly #runtime: Runtime;

  constructor(call: Call) {
    super(call);
    this.#runtime = call.runtime;
  }

  readResource(uri: string): Promise<readonly ResourceContents[]> {
    // Limited as in `resources/read`: a prompt embeds what it reads.
    return readKnown(uri, this.#runtime, this, this.#runtime.limits.mediaBytes);
  }
}

/** @throws ProtocolError with the text from the error table, if it has a row for the error. */
async function renderedBy(
  prompt: PromptDefinition,
  args: Readonly<Record<string, string | undefined>>,
  context: PromptRequestContext,
): Promise<PromptText> {
  try {
    return await prompt.render(args, context);
  } catch (error) {
    if (context.cancellation.aborted || isUnexpected(error)) throw error;
    throw new ProtocolError(codes.internalError, errorText(error).replace(/^Error: /, ''));
  }
}
