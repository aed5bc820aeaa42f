/** A service without an upstream, for tests of the layers between tools and clients. */
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import {
  GivenSecret,
  type InputType,
  type ToolContext,
} from '../../src/core/context/tool-context.ts';
import { Changes } from '../../src/core/context/changes.ts';
import { prompt, resource } from '../../src/core/definition/service.ts';
import { reads, tool } from '../../src/core/definition/tool.ts';
import {
  ToolError,
  UpstreamStatusError,
  UpstreamTimeoutError,
} from '../../src/core/result/errors.ts';
import { verbatim } from '../../src/core/definition/verbatim.ts';
import { line } from '../../src/core/result/markdown.ts';
import { audio, file, image, withMedia } from '../../src/core/result/media.ts';
import {
  type PromptContext,
  type ServiceDefinition,
} from '../../src/core/definition/service-definition.ts';

/** Planted in errors and other internals: it must never reach a client or a log. */
export const plantedSecret = 'planted-s3cret-9f81';

export interface ProbeState {
  readonly startedAs: string;
  /** Events in order, for tests in the same process. */
  readonly events: string[];
  readonly secrets: Map<string, string>;
  readonly changes: Changes;
}

const annotations = reads('Probe', { openWorld: false });
const documentation = {
  purpose: 'Probes the server.',
  whenToUse: ['In tests.'],
  whenNotToUse: ['Elsewhere.'],
  returns: 'What was found.',
  examples: [{}],
};
const spoken = z.strictObject({ text: z.string() });

/** Bytes that are not valid text. */
const pixel = new Uint8Array([0x89, 0x50, 0, 0xff]);

/** Defines a tool that returns one text. */
function probe(
  name: string,
  shape: z.ZodRawShape,
  run: (args: Record<string, string>, context: ToolContext<ProbeState>) => Promise<string> | string,
) {
  return tool({
    name: `probe_${name}`,
    annotations,
    ...documentation,
    input: shape,
    output: spoken,
    async handler(args, context: ToolContext<ProbeState>) {
      return { text: await run(args as Record<string, string>, context) };
    },
    markdown: (output) => line`${output.text}`,
  });
}

const text = z.string().trim().min(1).max(100).describe('Any text.');

const faults: Readonly<Record<string, () => Error>> = {
  tool: () => new ToolError('Ask for less.'),
  status: () => new UpstreamStatusError(503),
  missing: () => new UpstreamStatusError(404),
  timeout: () => new UpstreamTimeoutError(plantedSecret),
  unexpected: () => new RangeError(`/srv/${plantedSecret}: no such thing`),
};

const inputTypes: Readonly<Record<string, InputType>> = {
  text: 'text',
  number: 'number',
  boolean: 'boolean',
  email: 'email',
  date: 'date',
  choice: { choice: ['red', 'green'] },
};

export function createProbeService(): ServiceDefinition<ProbeState> {
  return {
    name: 'probe_mcp',
    title: 'Probe',
    instructions: 'Probe with care.',
    credentialVariable: 'PROBE_API_TOKEN',
    tools: [
      probe('echo_text', { text }, (args) => args.text ?? ''),
      probe('keep_file', { file: verbatim('A file.').max(1_000) }, (args) => args.file ?? ''),
      probe('show_context', {}, (_, { serverName, lifespanState, caller }) =>
        [serverName, lifespanState.startedAs, caller.id].join(' '),
      ),
      probe('throw_error', { text }, (args) => {
        throw faults[args.text ?? '']?.() ?? new Error('no such fault');
      }),
      probe('report_steps', {}, async (_, context) => {
        await context.reportProgress(1, 'one', 3);
        await context.reportProgress(0.5, 'back', 3);
        await context.reportProgress(3, 'three', 3);
        return 'done';
      }),
      probe('write_logs', {}, async (_, context) => {
        await context.logDebug('a detail');
        await context.logInfo('a fact', { count: 2, api_key: plantedSecret });
        await context.logError(`a fault, password=${plantedSecret}`);
        return 'logged';
      }),
      probe('log_at_length', { text }, async (args, context) => {
        const lines = Array<string>(20).fill('x'.repeat(2_000));
        for (let count = 0; count < Number(args.text); count += 1) {
          context.signal.throwIfAborted();
          await context.logInfo('much', { lines });
        }
        context.lifespanState.events.push('logged');
        return 'logged';
      }),
      probe('read_note', { text }, async (args, context) => {
        const [contents] = await context.readResource(args.text ?? '');
        return contents?.text ?? '';
      }),
      probe('change_note', { text }, (args, { lifespanState: { changes } }) => {
        changes.updated(`note://notes/${args.text ?? ''}`);
        changes.listChanged();
        return 'changed';
      }),
      probe('ask_user', { text }, async (args, context) => {
        const type = inputTypes[args.text ?? ''] ?? 'text';
        return JSON.stringify(await context.elicit('What shall it be?', type));
      }),
      probe('connect_account', {}, async (_, context) =>
        JSON.stringify(await context.elicit('Your key', 'password')),
      ),
      probe('wait_long', {}, async (_, context) => {
        const { signal, lifespanState } = context;
        lifespanState.events.push('waiting');
        await context.reportProgress(1, 'begun');
        try {
          await wait(60_000, undefined, { signal });
        } catch {
          lifespanState.events.push('aborted');
        }
        return 'waited';
      }),
      probe('clean_up', {}, async (_, { signal, lifespanState }) => {
        lifespanState.events.push('waiting');
        await wait(60_000, undefined, { signal }).catch(() => undefined);
        await wait(50);
        lifespanState.events.push('cleaned up');
        return 'waited';
      }),
      probe('log_much', {}, async (_, context) => {
        const data = { rows: new Array<string>(400).fill('x'.repeat(2_000)) };
        for (let times = 0; times < 20; times += 1) await context.logInfo('much', data);
        context.lifespanState.events.push(context.cancellation.aborted ? 'aborted' : 'logged');
        await wait(1_500, undefined, { signal: context.signal }).catch(() => undefined);
        return 'logged';
      }),
      probe('listen_often', {}, (_, { cancellation, signal }) => {
        for (let times = 0; times < 20; times += 1) {
          cancellation.addEventListener('abort', () => undefined);
          signal.addEventListener('abort', () => undefined);
        }
        return 'listens';
      }),
      {
        ...probe('link_note', {}, () => 'a'),
        links: ({ text: name }) => [{ uri: `note://notes/${String(name)}`, name: String(name) }],
      },
      {
        ...probe('show_media', {}, () => 'media'),
        handler: () =>
          Promise.resolve(
            withMedia(
              { text: 'media' },
              image(pixel, 'image/png; q=1'),
              audio(pixel, 'audio/wav'),
              file('probe://files/a.csv', 'text/csv', 'a,b\n'),
              file('probe://files/a.bin', 'application/octet-stream', pixel),
            ),
          ),
      },
      probe('say_much', {}, () => 'x'.repeat(16 * 1024 * 1024)),
      probe('wait_briefly', {}, async (_, context) => {
        await context.reportProgress(1);
        await wait(300);
        return 'waited';
      }),
      probe('forget_promise', {}, () => {
        void Promise.reject(new Error(`token=${plantedSecret}`));
        return 'forgot';
      }),
      probe('throw_later', {}, async (_, context) => {
        setImmediate(() => {
          throw new Error(`token=${plantedSecret}`);
        });
        await wait(60_000, undefined, { signal: context.signal });
        return 'never';
      }),
      probe('print_noise', {}, () => {
        // eslint-disable-next-line no-console -- what a careless tool does
        console.log('noise by console');
        process.stdout.write('noise by stdout\n');
        return 'printed';
      }),
    ],
    resources: [
      resource({
        name: 'note',
        title: 'Notes',
        description: 'A note by its name.',
        uri: 'note://notes/{name}',
        mimeType: 'text/plain',
        async read({ name }, { signal, lifespanState }) {
          if (name === 'slow') {
            lifespanState.events.push('reading');
            await wait(60_000, undefined, { signal }).finally(() => {
              lifespanState.events.push('aborted');
            });
          }
          const fault = faults[name];
          if (fault) throw fault();
          return `The note ${name}.`;
        },
        complete(_, typed) {
          // Thrown at once, not as a rejection.
          if (typed === 'bad') throw new UpstreamStatusError(503);
          const names = Array.from({ length: 150 }, (_, index) => `n${index}`);
          return Promise.resolve(names.filter((name) => name.startsWith(typed)));
        },
        list: () =>
          Promise.resolve(
            Array.from({ length: 150 }, (_, index) => ({
              uri: `note://notes/n${index}`,
              name: `n${index}`,
            })),
          ),
      }),
      resource({
        name: 'picture',
        title: 'Pictures',
        description: 'A picture, or what else has its name.',
        uri: 'picture://pictures/{name}',
        mimeType: 'image/png',
        ttlMs: 60_000,
        read: ({ name }) =>
          Promise.resolve(name === 'text' ? { mimeType: 'text/plain', content: 'A text.' } : pixel),
      }),
    ],
    prompts: [
      prompt({
        name: 'greet',
        title: 'Greet',
        description: 'Greets somebody.',
        arguments: z.strictObject({
          who: z.string().max(50).describe('Whom.'),
          how: z.string().max(50).optional(),
          tone: z.enum(['warm', 'cold']).optional(),
        }),
        render({ who, how = 'Hello' }) {
          if (who === 'nobody') throw new RangeError(plantedSecret);
          return `${how}, ${who}!`;
        },
        complete: (_, typed) => ['Ada', 'Grace'].filter((name) => name.startsWith(typed)),
      }),
      prompt({
        name: 'discuss_note',
        title: 'Discuss a note',
        description: 'Discusses a note, with its picture.',
        arguments: z.strictObject({ name: z.string().max(50).describe('Which.') }),
        async render({ name }, context: PromptContext<ProbeState>) {
          const [note] = await context.readResource(`note://notes/${name}`);
          return [
            { role: 'user', content: `${context.caller.id} asks of: ${note?.text ?? ''}` },
            { role: 'user', content: image(pixel, 'image/png') },
            { role: 'assistant', content: context.lifespanState.startedAs },
          ];
        },
        complete: (_, typed, { lifespanState }) =>
          typed === 'bad'
            ? Promise.reject(new UpstreamStatusError(503))
            : Promise.resolve([lifespanState.startedAs]),
      }),
    ],
    start() {
      const changes = new Changes();
      const state: ProbeState = { startedAs: 'probe', events: [], secrets: new Map(), changes };
      return {
        state,
        changes,
        credentials: {
          receive({ id }, secret) {
            if (secret === 'refused') throw new ToolError('Another one, please.');
            state.secrets.set(id, secret);
            return new GivenSecret();
          },
        },
        isReady: () => Promise.resolve(true),
        stop: () => {
          state.events.push('stopped');
          return Promise.resolve();
        },
      };
    },
  };
}
