/** Media types that files have several names for. */

/** Other names of a type: every program that reads the type also reads these files. */
export const typeAliases: ReadonlyMap<string, string> = new Map([
  // An animated PNG.
  ['image/apng', 'image/png'],
  ['video/x-m4v', 'video/mp4'],
]);
