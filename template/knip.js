/** What knip takes for entries of the template's own tests and benchmarks. */
export const templateKnip = {
  entry: ['knip.js', 'bench/*.{ts,tsx,mjs}', 'durability/writer.ts'],
  ignoreDependencies: ['@remix-run/serve'],
};
