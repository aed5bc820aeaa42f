/** `completion/complete`: suggests values for a template's variable or a prompt's argument. */
import { z } from 'zod';
import type {
  PromptDefinition,
  ResourceDefinition,
} from '../../core/definition/service-definition.ts';
import { countComposed } from '../../core/result/text-length.ts';
import type { Call, Handler } from '../connection.ts';
import { codes, echo, parseParams, ProtocolError } from '../protocol-error.ts';
import { RequestContext } from '../context/request-context.ts';
import { PromptReferenceSchema, ResourceTemplateReferenceSchema } from '../sdk.ts';
import { asProtocolError } from './resources.ts';

/** The protocol's limit. */
const maxValues = 100;

const completeParams = z.object({
  ref: z.discriminatedUnion('type', [PromptReferenceSchema, ResourceTemplateReferenceSchema]),
  argument: z.object({ name: z.string(), value: countComposed(z.string().max(1_000)) }),
});
type CompleteParams = z.output<typeof completeParams>;

export const complete: Handler = async (params, call) => {
  const values = await valuesOf(parseParams(completeParams, params), call);
  return {
    completion: {
      values: values.slice(0, maxValues),
      total: values.length,
      hasMore: values.length > maxValues,
    },
  };
};

async function valuesOf({ ref, argument }: CompleteParams, call: Call): Promise<readonly string[]> {
  const { prompts } = call.runtime.service;
  if (ref.type === 'ref/prompt') {
    const prompt = prompts.find(({ name }) => name === ref.name);
    if (!prompt) throw new ProtocolError(codes.invalidParams, `Unknown prompt: ${echo(ref.name)}`);
    if (!Object.hasOwn(prompt.arguments.shape, argument.name)) return [];
    return suggestionsOf(prompt, argument, call);
  }
  const resource = call.runtime.resources.find(({ definition }) => definition.uri === ref.uri);
  if (!resource) {
    throw new ProtocolError(codes.invalidParams, `Unknown resource template: ${echo(ref.uri)}`);
  }
  const { definition, template } = resource;
  if (!template.variables.includes(argument.name)) return [];
  return suggestionsOf(definition, argument, call);
}

async function suggestionsOf(
  definition: Pick<ResourceDefinition, 'complete'> | Pick<PromptDefinition, 'complete'>,
  { name, value }: CompleteParams['argument'],
  call: Call,
): Promise<readonly string[]> {
  // Async, so that a synchronous error of the service becomes a rejection.
  const suggest = async () => definition.complete?.(name, value, new RequestContext(call)) ?? [];
  return suggest().catch(asProtocolError(call));
}
