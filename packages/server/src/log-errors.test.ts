import { expect, test } from 'vitest';
import { configureLog, describeError } from './log.ts';

configureLog({ logLevel: 'info', hiddenInLog: { '10.1.2.3:4001': '<PLATFORM_INTERNAL_URL>' } });

test('a logged error has its code and stack, without hidden texts [W02]', () => {
  const error = Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:4001'), {
    code: 'ECONNREFUSED',
    address: '10.1.2.3',
    port: 4001,
  });
  const described = describeError(error);
  expect(described).toMatchObject({
    type: 'Error',
    code: 'ECONNREFUSED',
    message: 'connect ECONNREFUSED <PLATFORM_INTERNAL_URL>',
  });
  expect(described['stack']).toContain('log-errors.test.ts');
  expect(JSON.stringify(described)).not.toContain('10.1.2.3');
});

test.each([undefined, null, 'a text', { code: 7 }])('a thrown %s can be logged', (thrown) => {
  expect(Object.keys(describeError(thrown))).toEqual(['type', 'message', 'stack']);
});

test('an error that is its own cause is logged like any other', () => {
  const error = new Error('round');
  error.cause = error;
  expect(describeError(error)['message']).toContain('round');
});
