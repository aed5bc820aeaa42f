/** Entry points for knip: what an author's folder and this package start or offer without importing it. */
export const mcpServerKnip = {
  entry: ['{main,src/services/**/*}.ts', '*.js'],
};

export const mcpPackageKnip = {
  entry: [
    'examples/*/service.ts',
    'examples/*/api/start.ts',
    'examples/*/test/*-program.ts',
    'bench/*.{ts,mjs}',
    'conformance/*.ts',
    'scripts/*.ts',
    'scripts/skeleton/service.ts',
    'src/{core,adapters,transports}/**/*.ts',
    'test/programs/*-program.ts',
  ],
  ignore: ['bench/peers/**'],
};
