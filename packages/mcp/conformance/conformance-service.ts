/**
 * A service with the tools, resources and prompts that the conformance suite calls by name. It uses the same core
 * and is never shipped. `extension.ts` adds what the core does not offer.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { CallContext } from '../src/adapters/context/context.ts';
import type { ResourceContent } from '../src/core/context/resource-contents.ts';
import type { ToolContext } from '../src/core/context/tool-context.ts';
import { reads, tool as defined } from '../src/core/definition/tool.ts';
import { ToolError } from '../src/core/result/errors.ts';
import { line } from '../src/core/result/markdown.ts';
import { audio, file, image, withMedia, type Media } from '../src/core/result/media.ts';
import type {
  PromptDefinition,
  PromptMessage,
  ResourceDefinition,
  ServiceDefinition,
} from '../src/core/definition/service-definition.ts';
import {
  elicitDefaults,
  elicitEnums,
  elicitProfile,
  putAll,
  putForm,
  putRoots,
  putSample,
  sample,
} from './questions.ts';

type Args = Readonly<Record<string, unknown>>;

/** An image of one red pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
);
/** A 44-byte header without samples. */
const wav = Buffer.from('UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=', 'base64');

/** Defines a tool that returns one text, optionally with media. */
function tool(
  name: string,
  shape: z.ZodRawShape,
  run: (args: Args, context: ToolContext) => Promise<string> | string,
  ...media: readonly Media[]
) {
  return defined({
    name,
    annotations: reads(name, { openWorld: false }),
    purpose: 'Does what the conformance suite expects of the tool of this name.',
    whenToUse: ['In the conformance suite.'],
    whenNotToUse: ['Anywhere else.'],
    returns: 'One text.',
    examples: [{}],
    input: shape,
    output: z.strictObject({ text: z.string() }),
    handler: async (args, context: ToolContext) =>
      withMedia({ text: await run(args as Args, context) }, ...media),
    markdown: ({ text }) => line`${text}`,
  });
}

const words = (description: string) => z.string().trim().min(1).max(1_000).describe(description);

/** Produces `$defs` and `$ref` on the wire. */
const address = z
  .strictObject({
    street: words('The street.').optional(),
    city: words('The city.').optional(),
  })
  .meta({ id: 'address' });

/** Longer than the interval between two progress notifications, so that each is sent. */
const stepMs = 260;

const inputRequired = 'test_input_required_result';

const tools = [
  tool('test_simple_text', {}, () => 'This is a simple text response for testing.'),
  tool('test_image_content', {}, () => 'An image:', image(png, 'image/png')),
  tool('test_audio_content', {}, () => 'A sound:', audio(wav, 'audio/wav')),
  tool(
    'test_embedded_resource',
    {},
    () => 'A resource:',
    file('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ),
  tool(
    'test_multiple_content_types',
    {},
    () => 'Multiple content types test:',
    image(png, 'image/png'),
    file('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ),
  tool('test_error_handling', {}, () => {
    throw new ToolError('This tool intentionally returns an error for testing');
  }),
  tool('test_tool_with_logging', {}, async (_, context) => {
    await context.logInfo('Tool execution started');
    await wait(50);
    await context.logInfo('Tool processing data');
    await wait(50);
    await context.logInfo('Tool execution completed');
    return 'Logged.';
  }),
  tool('test_tool_with_progress', {}, async (_, context) => {
    await context.reportProgress(0, 'Started', 100);
    await wait(stepMs);
    await context.reportProgress(50, 'Half', 100);
    await wait(stepMs);
    await context.reportProgress(100, 'Done', 100);
    return 'Done.';
  }),
  tool('test_request_sampling', { prompt: words('For the model.') }, ({ prompt }, context) =>
    sample(context, String(prompt)),
  ),
  tool('test_elicit_profile', { message: words('For the user.') }, ({ message }, context) =>
    elicitProfile(context, String(message)),
  ),
  tool('test_elicit_defaults', {}, (_, context) => elicitDefaults(context)),
  tool('test_elicit_enums', {}, (_, context) => elicitEnums(context)),
  tool('test_close_stream', {}, async (_, context) => {
    CallContext.requestOf(context)?.closeSSEStream?.();
    await wait(100);
    return 'Taken up again.';
  }),
  tool(
    'test_describe_person',
    { name: words('The name.').optional(), address: address.optional().describe('Where.') },
    (args) => JSON.stringify(args),
  ),
  // For the suite of 2026-07-28.
  tool('test_missing_capability', {}, async (_, context) =>
    JSON.stringify(await context.elicit('Anything?', 'text')),
  ),
  tool('test_streaming_elicitation', {}, async (_, context) => {
    await context.reportProgress(1, 'Begun');
    return JSON.stringify(await context.elicit('Anything?', 'text'));
  }),
  tool('test_logging_tool', {}, async (_, context) => {
    await context.logInfo('Nobody asked for this');
    return 'Logged.';
  }),
  tool(
    `${inputRequired}_elicitation`,
    {},
    (_, context) => `Hello, ${putForm(context, 'user_name')}!`,
  ),
  tool(`${inputRequired}_sampling`, {}, (_, context) =>
    putSample(context, 'capital', 'What is the capital of France?'),
  ),
  tool(`${inputRequired}_list_roots`, {}, (_, context) => putRoots(context, 'client_roots')),
  tool(
    `${inputRequired}_request_state`,
    {},
    (_, context) => `state-ok ${putForm(context, 'confirm')}`,
  ),
  tool(`${inputRequired}_tampered_state`, {}, (_, context) => putForm(context, 'confirm')),
  tool(`${inputRequired}_capabilities`, {}, (_, context) =>
    putSample(context, 'sampled', 'Say hello'),
  ),
  tool(
    `${inputRequired}_multi_round`,
    {},
    (_, context) => `${putForm(context, 'step1')} likes ${putForm(context, 'step2')}`,
  ),
  tool(`${inputRequired}_multiple_inputs`, {}, (_, context) =>
    putAll(
      () => putForm(context, 'user_name'),
      () => putSample(context, 'greeting', 'Generate a greeting'),
      () => putRoots(context, 'client_roots'),
    ),
  ),
];

const plain = (
  name: string,
  uri: string,
  content: ResourceContent,
  mimeType = 'text/plain',
): ResourceDefinition => ({
  name,
  title: name,
  description: `The resource ${name} of the conformance suite.`,
  uri,
  mimeType,
  read: () => Promise.resolve(content),
  list: () => Promise.resolve([{ uri, name }]),
});

const resources: ResourceDefinition[] = [
  plain('static-text', 'test://static-text', 'This is the content of the static text resource.'),
  plain('static-binary', 'test://static-binary', png, 'image/png'),
  plain('watched-resource', 'test://watched-resource', 'Watched.'),
  {
    name: 'template',
    title: 'template',
    description: 'Data by an id.',
    uri: 'test://template/{id}/data',
    mimeType: 'application/json',
    read: ({ id }) =>
      Promise.resolve(JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id ?? ''}` })),
  },
];

const prompt = (
  name: string,
  args: Record<string, z.ZodString>,
  render: PromptDefinition['render'],
): PromptDefinition => ({
  name,
  title: name,
  description: `The prompt ${name} of the conformance suite.`,
  arguments: z.strictObject(args),
  render,
  complete: (_, typed) => ['test one', 'test two'].filter((value) => value.startsWith(typed)),
});

const userMessage = (content: PromptMessage['content']): PromptMessage => ({
  role: 'user',
  content,
});

const argument = z.string().max(200).describe('Any text.');

const prompts = [
  prompt('test_simple_prompt', {}, () => 'This is a simple prompt for testing.'),
  prompt(
    'test_prompt_with_arguments',
    { arg1: argument, arg2: argument },
    ({ arg1 = '', arg2 = '' }) => `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  ),
  prompt(
    'test_prompt_with_embedded_resource',
    { resourceUri: argument },
    ({ resourceUri = '' }) => [
      userMessage(file(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
      userMessage('Please process the embedded resource above.'),
    ],
  ),
  prompt('test_prompt_with_image', {}, () => [
    userMessage(image(png, 'image/png')),
    userMessage('Please analyze the image above.'),
  ]),
];

export function createConformanceService(): ServiceDefinition {
  return {
    name: 'test_mcp',
    title: 'Conformance',
    instructions: 'For the conformance suite.',
    tools,
    resources,
    prompts,
    start: () => ({
      state: undefined,
      isReady: () => Promise.resolve(true),
      stop: () => Promise.resolve(),
    }),
  };
}
