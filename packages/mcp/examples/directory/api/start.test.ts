/** The example service as `npm run example-service` starts it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const program = fileURLToPath(new URL('start.ts', import.meta.url));

test.each([' ', '0x10', '1e3', '+5', '65536'])(
  'EXAMPLE_SERVICE_PORT=%j ends it with one sentence',
  async (value) => {
    const { child, output } = start({ EXAMPLE_SERVICE_PORT: value });
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(output.stderr).toBe('EXAMPLE_SERVICE_PORT must be a whole number from 0 to 65535.\n');
  },
);

function start(env: Record<string, string>) {
  const child = spawn(process.execPath, ['--import', 'tsx', program], {
    env: { PATH: process.env.PATH, ...env },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const output = { stderr: '' };
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  return { child, output };
}
