/** Entry points for knip: what an author's folder and this package start or offer without importing it. */
export const mcpServerKnip = {
  entry: ['main.ts', '*.js'],
};

export const mcpPackageKnip = {
  entry: [
    'examples/*/main.ts',
    'examples/*/api/start.ts',
    'bench/*.{ts,mjs}',
    'conformance/*.ts',
    'scripts/*.ts',
    'src/{core,adapters,transports}/**/*.ts',
    'test/programs/*-program.ts',
    'test/release/*.ts',
  ],
  ignore: ['bench/peers/**', 'test/release/clients/**'],
};
