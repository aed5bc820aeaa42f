/** What Vite does for React Router 8. Its own settings are in the site's `react-router.config.ts`. */

// A variable, because it is not installed in every repository with this file: it needs Node 22.
const compiler = '@react-router/dev/vite';
const { reactRouter } = await import(compiler);

export const framework = {
  /** The module of the server build. */
  serverBuild: 'virtual:react-router/server-build',
  /** The packages of the server that route files import. */
  serverPackages: ['@react-router/node'],
  plugins: () => [reactRouter()],
};
