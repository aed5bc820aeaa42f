/** knip's configuration for the template's own tests and benchmarks. */
export const templateKnip = {
  entry: ['knip.js', 'bench/*.{ts,tsx,mjs}', 'durability/writer.ts'],
  ignoreDependencies: ['@remix-run/serve'],
};
