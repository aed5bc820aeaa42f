/** The benchmark must not measure an error page, which has no shell and comes at once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort, startProgram, type Program } from '../../e2e/harness/programs/program';

let program: Program;
let url: string;

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}/`;
  program = await startProgram({
    name: 'The late page',
    arguments: ['--import', 'tsx', 'template/bench/late-page.tsx'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      PORT: String(port),
      HOST: '127.0.0.1',
      PLATFORM_INTERNAL_URL: 'http://127.0.0.1:9',
      AUTH_SECRET: 'a key that is good for this test and nothing else',
      SMTP_URL: 'off',
    },
    ready: { url, statuses: [200, 500] },
  });
});
afterAll(() => program.stop());

test('the late page has its shell before its data, compressed or not', async () => {
  for (const encoding of ['identity', 'gzip', 'br']) {
    const answer = await fetch(url, { headers: { 'accept-encoding': encoding } });
    const body = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let heard = '';
    while (!heard.includes('the shell')) heard += (await body?.read())?.value ?? fail(heard);
    expect(heard).not.toContain('late words');
    for (let part = await body?.read(); part?.value; part = await body?.read()) heard += part.value;
    expect(heard).toContain('late words');
  }
});

function fail(heard: string): never {
  throw new Error(`There is no shell in: ${heard}`);
}
