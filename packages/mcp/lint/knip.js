/** Entry points for knip: the server's programs, and the modules that services may use. */
export const mcpServerKnip = {
  entry: [
    'main.ts',
    'examples/*/service.ts',
    'examples/*/api/start.ts',
    'examples/*/test/*-program.ts',
    'bench/*.{ts,mjs}',
    'conformance/*.ts',
    'scripts/*.ts',
    'scripts/skeleton/service.ts',
    'src/{core,adapters,transports,services}/**/*.ts',
    'test/release/*.release.ts',
    'test/programs/*-program.ts',
  ],
  ignore: ['bench/peers/**'],
};
