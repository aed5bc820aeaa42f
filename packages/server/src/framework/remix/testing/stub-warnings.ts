/** Warnings of Remix's stub, which tests of components need not expect. */
import type * as Testing from '@remix-run/testing';
import { beforeEach, vi } from 'vitest';

/**
 * Remix's stub creates its router without the future flags that the site's build sets, and cannot
 * be given them. The resulting warning is ignored only in tests that have created a stub.
 */
export function isOfStub(text: string): boolean {
  return stubMade && text.includes('React Router Future Flag Warning');
}

let stubMade = false;

beforeEach(() => {
  stubMade = false;
});

vi.mock('@remix-run/testing', async (original) => {
  const { createRemixStub, ...rest } = await original<typeof Testing>();
  return {
    ...rest,
    createRemixStub: (...options: Parameters<typeof createRemixStub>) => {
      stubMade = true;
      return createRemixStub(...options);
    },
  };
});
