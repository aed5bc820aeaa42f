/** A warning of React Router's stub, which tests of components need not expect. */

/**
 * The stub loads its pages' data itself, as no page of a site does, which the server renders: React Router says once that
 * nothing is shown meanwhile.
 */
export function isOfRoutesStub(text: string): boolean {
  return text.includes('No `HydrateFallback` element provided');
}
