/** Measures how long hostile input occupies the server. The tests check that its responses are small. */
import { redact } from '../src/core/context/redact.ts';
import { compileUriTemplate } from '../src/core/definition/uri-template.ts';
import { line } from '../src/core/result/markdown.ts';

const parts = ['_', '#', ' #', '1', '[', '&', '-', ' ', '_a', 'a_', 'a ', 'a', '\u200b'];
const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 1]));
const template = compileUriTemplate('a://{a}-{b}-{c}-{d}');
const documents = compileUriTemplate('file://documents/{name}');

const inputs: Readonly<Record<string, () => unknown>> = {
  'Markdown of 100,000 marks, 13 kinds': () => parts.map((part) => line`${part.repeat(100_000)}`),
  'a log of 100,000 fields': () => redact({ wide, again: wide }),
  'a log of a million texts': () => redact(Array(1_000_000).fill('x')),
  'a URI of 2,000 separators': () => template.match(`a://${'-'.repeat(2_000)}/`),
  'a URI of a million escapes': () =>
    documents.match(`file://documents/${'%2e'.repeat(1_000_000)}`),
};

/** Measures arguments over HTTP, and the core's handling of untrusted text. */
export async function measureHostileInput(url: string): Promise<void> {
  const times: Record<string, { ms: number }> = {};
  const keys = Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, 1]));
  const nested = `${'['.repeat(300_000)}${']'.repeat(300_000)}`;
  const call = (args: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"probe_search_users","arguments":${args}}}`;
  const messages = {
    'arguments of 60,000 unknown fields': call(JSON.stringify(keys)),
    'arguments nested 300,000 deep': call(nested),
  };
  for (const [what, body] of Object.entries(messages)) {
    const startedAt = performance.now();
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: 'Bearer bench-bench-bench-bench-bench-bench',
      },
      body,
    });
    await response.text();
    times[what] = { ms: Math.round(performance.now() - startedAt) };
  }
  for (const [what, run] of Object.entries(inputs)) {
    const startedAt = performance.now();
    run();
    times[what] = { ms: Math.round(performance.now() - startedAt) };
  }
  console.log('\nHostile input');
  console.table(times);
}
