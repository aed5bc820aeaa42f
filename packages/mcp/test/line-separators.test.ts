/**
 * Readers of lines and of events often split at U+0085, U+2028 and U+2029 too (Python's `splitlines`, `eval` of old
 * engines). JSON may contain them raw, so each transport and the log escape them.
 */
import { PassThrough } from 'node:stream';
import { request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createRuntime } from '../src/adapters/runtime.ts';
import { createLog } from '../src/core/context/log.ts';
import { runStdio } from '../src/transports/stdio/stdio.ts';
import { post, startServer } from './doubles/http-server.ts';
import { callOf, initializing } from './doubles/messages.ts';
import { metaOf, modernCall } from './doubles/modern-messages.ts';
import { createProbeService } from './probes/probe-service.ts';

const text = 'one\u2028two\u2029three\u0085four';
const escaped = 'one\\u2028two\\u2029three\\u0085four';
const raw = /[\u0085\u2028\u2029]/;
const sessions = { idleSeconds: 60, maxSessions: 10 };

/** Expects the text to have left escaped, and to be read as it was. */
function expectEscaped(sent: string, message: object | undefined) {
  expect(sent).toContain(escaped);
  expect(sent).not.toMatch(raw);
  expect(message).toMatchObject({ result: { structuredContent: { text } } });
}

test('over stdio [M28]', async () => {
  const lines: string[] = [];
  const runtime = await createRuntime({
    service: createProbeService(),
    version: '1.2.3',
    log: createLog({ level: 'silent' }),
  });
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const ended = runStdio({ runtime, stdin, stdout, drainMs: 200 });
  onTestFinished(async () => {
    await ended;
    await runtime.stop();
  });
  stdout.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
  for (const message of [callOf(1, 'echo_text', { text }), modernCall('echo_text', { text })]) {
    stdin.write(`${JSON.stringify('message' in message ? message.message : message)}\n`);
  }
  stdin.end();
  await expect.poll(() => lines.length).toBe(2);
  for (const line of lines) expectEscaped(line, JSON.parse(line) as object);
});

test.each([
  ['without sessions', undefined],
  ['with sessions', sessions],
])('over HTTP %s, in each era, as JSON and as events [M29]', async (_, options) => {
  const { url } = await startServer({ sessions: options });
  const { headers } = await post(url, initializing);
  const session = headers['mcp-session-id'];
  const older = session === undefined ? undefined : { 'mcp-session-id': String(session) };
  const responses = [
    await post(url, callOf(1, 'echo_text', { text }), older),
    await post(url, callOf(2, 'echo_text', { text }, { progressToken: text }), older),
  ];
  for (const meta of [metaOf(), metaOf({}, { progressToken: text })]) {
    const modern = modernCall('echo_text', { text }, meta);
    responses.push(await post(url, modern.message, modern.headers));
  }
  for (const response of responses) expectEscaped(response.text, response.messages.at(-1));
});

test('in notifications that precede a result', async () => {
  for (const options of [undefined, sessions]) {
    const { url } = await startServer({ sessions: options });
    const session = (await post(url, initializing)).headers['mcp-session-id'];
    const { text: sent, messages } = await post(
      url,
      callOf(1, 'report_steps', {}, { progressToken: text }),
      session === undefined ? {} : { 'mcp-session-id': String(session) },
    );
    expect(sent).toContain(escaped);
    expect(sent).not.toMatch(raw);
    expect(messages[0]).toMatchObject({ params: { progressToken: text } });
  }
});

test('in events that a session sends again', async () => {
  const { url } = await startServer({ sessions });
  const session = String((await post(url, initializing)).headers['mcp-session-id']);
  const first = await post(url, callOf(1, 'echo_text', { text }), { 'mcp-session-id': session });
  const [, id = ''] = /^id: (\S+)$/m.exec(first.text) ?? [];
  const { body } = await request(url, {
    headers: { accept: 'text/event-stream', 'mcp-session-id': session, 'last-event-id': id },
  });
  const again = await body.text();
  expect(again).toContain(escaped);
  expect(again).not.toMatch(raw);
});

test('in the ids and errors of refused requests', async () => {
  for (const options of [undefined, sessions]) {
    const { url } = await startServer({ sessions: options });
    const { text: sent } = await post(url, { jsonrpc: '2.0', id: text, method: 7 });
    expect(sent).not.toMatch(raw);
    expect(JSON.parse(sent)).toMatchObject({ id: text, error: { code: -32_600 } });
  }
});

test('in the log [M22]', () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', stream: { write: (line) => lines.push(line) } });
  log.info(text, { text, [text]: 1 });
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toMatch(raw);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ msg: text, data: { text } });
});
