/** The edge and the site drop the same forged identity headers. */
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { isUntrustedHeader } from '@gatehouse/server';
import {
  cleanInboundHeaders,
  harmlessHeaders,
  identityHeaders,
} from '@gatehouse/simulator/platform';

/** The names of the headers that the edge strips from a request with this one. */
function stripped(name: string): string[] {
  const request = { headers: { [name.toLowerCase()]: 'forged' } };
  return cleanInboundHeaders(request as unknown as IncomingMessage, false);
}

test.each(identityHeaders)('both drop a visitor’s %s header [W01 W19]', (name) => {
  expect(isUntrustedHeader(name), 'the site').toBe(true);
  expect(stripped(name), 'the edge').toEqual([name.toLowerCase()]);
});

test.each(harmlessHeaders)('both keep the %s header', (name) => {
  expect(isUntrustedHeader(name), 'the site').toBe(false);
  expect(stripped(name), 'the edge').toEqual([]);
});
