/** Ensures that the benchmark does not measure an error page, which arrives at once and has no shell. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort, startProgram, type Program } from '@gatehouse/simulator/programs';

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

test('the late page streams its shell before its data, compressed or not', async () => {
  for (const encoding of ['identity', 'gzip', 'br']) {
    const response = await fetch(url, { headers: { 'accept-encoding': encoding } });
    const body = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let received = '';
    while (!received.includes('the shell'))
      received += (await body?.read())?.value ?? fail(received);
    expect(received).not.toContain('late words');
    for (let part = await body?.read(); part?.value; part = await body?.read())
      received += part.value;
    expect(received).toContain('late words');
  }
});

function fail(received: string): never {
  throw new Error(`The response has no shell: ${received}`);
}
