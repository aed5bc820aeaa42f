/**
 * Questions that the suite's tools ask a client: forms with several fields, and sampling. A service's tools ask for
 * one value.
 */
import {
  CreateMessageResultSchema,
  type ElicitRequestFormParams,
  ElicitResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Extra } from '../src/adapters/connection.ts';
import { CallContext } from '../src/adapters/context/context.ts';
import type { ToolContext } from '../src/core/context/tool-context.ts';

type Properties = ElicitRequestFormParams['requestedSchema']['properties'];

export async function sample(context: ToolContext, prompt: string): Promise<string> {
  const reply = await extraOf(context).sendRequest(
    {
      method: 'sampling/createMessage',
      params: {
        messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
        maxTokens: 100,
      },
    },
    CreateMessageResultSchema,
  );
  return `LLM response: ${reply.content.type === 'text' ? reply.content.text : ''}`;
}

export async function elicitProfile(context: ToolContext, message: string): Promise<string> {
  const { action, content } = await elicit(
    context,
    message,
    {
      username: { type: 'string', description: "User's response" },
      email: { type: 'string', description: "User's email address" },
    },
    ['username', 'email'],
  );
  return `User response: action=${action}, content=${JSON.stringify(content)}`;
}

export async function elicitDefaults(context: ToolContext): Promise<string> {
  const statuses = ['active', 'inactive', 'pending'];
  return completed(
    await elicit(context, 'Please check what is filled in', {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: statuses, default: 'active' },
      verified: { type: 'boolean', default: true },
    }),
  );
}

export async function elicitEnums(context: ToolContext): Promise<string> {
  const options = ['option1', 'option2', 'option3'];
  const titled = ['First', 'Second', 'Third'].map((title, index) => ({
    const: `value${index + 1}`,
    title,
  }));
  return completed(
    await elicit(context, 'Please choose', {
      untitledSingle: { type: 'string', enum: options },
      titledSingle: { type: 'string', oneOf: titled },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
      titledMulti: { type: 'array', items: { anyOf: titled } },
    }),
  );
}

function elicit(
  context: ToolContext,
  message: string,
  properties: Properties,
  required: string[] = [],
) {
  return extraOf(context).sendRequest(
    {
      method: 'elicitation/create',
      params: { mode: 'form', message, requestedSchema: { type: 'object', properties, required } },
    },
    ElicitResultSchema,
  );
}

const forms = {
  user_name: { message: 'What is your name?', field: 'name', type: 'string' },
  confirm: { message: 'Please confirm', field: 'ok', type: 'boolean' },
  step1: { message: 'Step 1: What is your name?', field: 'name', type: 'string' },
  step2: { message: 'Step 2: What is your favorite color?', field: 'color', type: 'string' },
} as const;

/** Sends a form under the name that the suite expects, in the modern era. */
export function putForm(context: ToolContext, place: keyof typeof forms): string {
  const { message, field, type } = forms[place];
  const requestedSchema = { type: 'object', properties: { [field]: { type } }, required: [field] };
  const reply = put(context, place, 'elicitation/create', { message, requestedSchema });
  return String(ElicitResultSchema.parse(reply).content?.[field]);
}

export function putSample(context: ToolContext, place: string, text: string): string {
  const messages = [{ role: 'user', content: { type: 'text', text } }];
  const params = { messages, maxTokens: 100 };
  return JSON.stringify(put(context, place, 'sampling/createMessage', params));
}

export function putRoots(context: ToolContext, place: string): string {
  return JSON.stringify(put(context, place, 'roots/list', {}));
}

/** Sends all questions before the first of them ends the run. */
export async function putAll(...questions: readonly (() => string)[]): Promise<string> {
  const replies = questions.map(async (question) => Promise.resolve().then(question));
  return (await Promise.all(replies)).join(' ');
}

function put(context: ToolContext, place: string, method: string, params: object): unknown {
  const rounds = CallContext.roundsOf(context);
  if (!rounds) throw new Error('The question is one of the modern era');
  return rounds.put(place, method, { ...params });
}

function completed({ action, content }: { action: string; content?: unknown }): string {
  return `Elicitation completed: action=${action}, content=${JSON.stringify(content)}`;
}

function extraOf(context: ToolContext): Extra {
  const extra = CallContext.requestOf(context);
  if (!extra) throw new Error('The context is not of the adapter');
  return extra;
}
