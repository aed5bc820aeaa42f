/** Prompts: texts a person starts from. */
import { z } from 'zod';
import { argumentErrorText, argumentSentence } from '../../core/result/argument-errors.ts';
import type { PromptDefinition } from '../../core/definition/define-service.ts';
import type { Handler } from '../connection.ts';
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

export const getPrompt: Handler = (params, { runtime }) => {
  const { name, arguments: rawArguments = {} } = parseParams(getParams, params);
  const prompt = runtime.service.prompts.find((one) => one.name === name);
  if (!prompt) throw new ProtocolError(codes.invalidParams, `Unknown prompt: ${echo(name)}`);
  const args = prompt.arguments.safeParse(rawArguments ?? {}, { error: argumentSentence });
  if (!args.success) {
    // As a tool's arguments are refused, but a prompt has no result to say it in.
    const text = argumentErrorText(args.error).replace(/^Error: /, '');
    throw new ProtocolError(codes.invalidParams, text);
  }
  return {
    description: prompt.description,
    messages: [{ role: 'user', content: { type: 'text', text: prompt.render(args.data) } }],
  };
};
