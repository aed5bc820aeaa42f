import { expect, test } from 'vitest';
import { messageFor, platformMessages } from './platform-messages';

const general = 'That did not work. Reload the page and try again.';

test.each([
  ['rate_limited', platformMessages.rate_limited],
  ['connection_lost', 'The connection was lost. Try again.'],
  ['unexpected_response', platformMessages.upstream_unavailable],
  ['method_not_allowed', general],
  ['toString', general],
])('the code %s is shown as “%s” [W33]', (code, message) => {
  expect(messageFor(code)).toBe(message);
});
