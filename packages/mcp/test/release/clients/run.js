/**
 * Puts one client to every use, and prints what came of each: null, or what went wrong. Copied beside the client's package
 * and started there, because each client has its own version of what they all depend on.
 */
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * @typedef {object} Target The server: its program, or its address.
 * @property {string} client The module of the client, and what it is opened with.
 * @property {unknown} [options]
 * @property {string} [command]
 * @property {string[]} [args]
 * @property {string} [url]
 * @property {string} [cutUrl] The same server, through a connection that breaks while a call runs.
 * @property {string} [endUrl] The same server, which is told to end while a call runs.
 */

/** @type {Target} */
const target = JSON.parse(process.argv[2] ?? '');
const { open } = await import(`./${target.client}.js`);

/** What the user answers. */
const answer = () => ({ action: 'accept', content: { value: 'Ada' } });
const opened = (url = target.url) => open({ ...target, url, answer }, target.options);

const client = await opened();

const uses = {
  async list() {
    const names = await client.list();
    assert.ok(names.includes('probe_echo_text'), `It listed ${names.join(', ')}`);
  },
  async call() {
    const { text, isError } = await client.call('probe_echo_text', { text: 'hi' });
    assert.deepEqual([text, isError], ['hi', false]);
  },
  async structured() {
    const { structured } = await client.call('probe_echo_text', { text: 'hi' });
    assert.deepEqual(structured, { text: 'hi' });
  },
  async error() {
    const { text, isError } = await client.call('probe_throw_error', { text: 'status' });
    assert.deepEqual([text, isError], ['Error: API request failed with status 503', true]);
  },
  async progress() {
    const steps = [];
    const onprogress = ({ progress }) => void steps.push(progress);
    await client.call('probe_wait_briefly', {}, { onprogress });
    assert.deepEqual(steps, [1]);
  },
  async question() {
    const { text } = await client.call('probe_ask_user', { text: 'text' });
    assert.equal(text, '{"action":"accept","value":"Ada"}');
  },
  async resource() {
    assert.equal(await client.read('note://notes/a'), 'The note a.');
  },
  async prompt() {
    assert.equal(await client.prompt('greet', { who: 'Ada' }), 'Hello, Ada!');
  },
  /** That the server heard of it is in its log. */
  async cancel() {
    const cancelling = new AbortController();
    const call = client.call('probe_wait_long', {}, { signal: cancelling.signal });
    const settled = call.then(
      () => 'answered',
      () => 'rejected',
    );
    await wait(500);
    cancelling.abort();
    assert.equal(await settled, 'rejected');
  },
  resume: () => callThrough(target.cutUrl),
  /** Over stdio, that the program ended is in its log. Over HTTP, the call that runs is answered first. */
  shutdown: () => (target.endUrl === undefined ? client.close() : callThrough(target.endUrl)),
};

async function callThrough(url) {
  const other = await opened(url);
  const { text } = await other.call('probe_wait_briefly', {}, { onprogress: () => undefined });
  assert.equal(text, 'waited');
}

/** @type {Record<string, string | null>} */
const outcomes = {};
for (const [name, use] of Object.entries(uses)) {
  const late = wait(20_000).then(() => assert.fail('Nothing came of it in 20 s'));
  outcomes[name] = await Promise.race([use(), late]).then(
    () => null,
    (error) => String(error?.message ?? error).replaceAll(/\s+/g, ' '),
  );
}
process.stdout.write(`\n${JSON.stringify(outcomes)}\n`);
process.exit();
