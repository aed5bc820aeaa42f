import { afterEach, beforeEach, expect, test } from 'vitest';
import { startExample, type ExampleDouble } from '../example-double.ts';
import type { ElicitAnswer } from '../../core/context.ts';

let real: ExampleDouble;

beforeEach(async () => {
  real = await startExample();
});
afterEach(() => real.close());

/** The page on which the user gives a secret belongs to the adapter: here it is kept as it would be there. */
function connect(secret: string, caller = 'ann', response_format = 'markdown') {
  const onElicit = () => {
    real.state.credentials.store({ id: caller }, secret);
    return { action: 'accept', value: null } as const;
  };
  return real.call('example_connect_account', { response_format }, { caller, onElicit });
}

const authorization = (caller: string) => real.state.credentials.of({ id: caller });

test('asks for a password, and says whose account it is and never the secret [M30]', async () => {
  const { recorded, ...result } = await connect('personal-usr_0042');
  expect(recorded.asked).toEqual([['Your personal API token of the directory', 'password']]);
  expect(result.structured).toMatchObject({ connected: true, account: { id: 'usr_0042' } });
  expect(result.text).toMatch(/^# Connected as .+ \(usr_0042\)$/);
  expect(JSON.stringify([result, recorded])).not.toContain('personal-');
});

test('the account is that caller’s alone [M30 M31]', async () => {
  await connect('personal-usr_0042');
  expect([authorization('ann'), authorization('bob')]).toEqual([
    'Bearer personal-usr_0042',
    'Bearer test-token',
  ]);
});

test('a secret that the service refuses is forgotten [M30 M32]', async () => {
  const { text, isError } = await connect('planted-wrong', 'ann', 'json');
  expect([text, isError]).toEqual(['Error: Invalid API authentication', true]);
  expect(authorization('ann')).toBe('Bearer test-token');
});

test.each<ElicitAnswer<unknown>>([{ action: 'decline' }, { action: 'cancel' }])(
  'nothing changes after %j, and it says so [M30]',
  async (answer) => {
    const options = { caller: 'ann', onElicit: () => answer };
    const { text, structured } = await real.call('example_connect_account', {}, options);
    expect(structured).toEqual({ connected: false });
    expect(text).toBe('# Not connected\n\nThe user gave no token. Nothing has changed.');
    expect(authorization('ann')).toBe('Bearer test-token');
  },
);
