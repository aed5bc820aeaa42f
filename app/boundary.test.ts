/** What no single module can promise: who in the site speaks of what. Read from the source itself. */
import { expect, test } from 'vitest';
import routes from './routes';

const sources = Object.entries(
  import.meta.glob<string>('./**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true }),
)
  .map(([file, text]) => ({ file: file.replace('./', ''), text }))
  .filter(({ file }) => !/\.test\.tsx?$|^testing\//.test(file));

/** What to look for in the code, each with a text that it must find. */
const patterns = {
  internalAddress: [
    /platformInternalUrl|PLATFORM_INTERNAL_URL/,
    'env.platformInternalUrl',
    "process.env['PLATFORM_INTERNAL_URL']",
  ],
  upstreamCall: [/\b(call|open)Upstream\b/, "await callUpstream({ path: '/user' })"],
  serverImport: [
    /(from|import\() ?['"`][^'"`]*(\.server|~\/server\/|site-server)[^'"`]*['"`]/,
    "import x from '~/platform/sdk/sdk.server';",
    'import { log } from "site-server/log";',
    "await import('./sdk.server')",
  ],
  token: [
    /\bauthorization\b|\bBearer\b/i,
    "headers.set('authorization', token)",
    '{ Authorization: token }',
    'const value = `Bearer ${token}`;',
  ],
  platformSignIn: [/['"`]\/__auth/, "'/__auth/login'", '`/__auth/${name}`'],
  nativeDownload: [
    /<(a|Link)\b[^>]*\bdownload\b/s,
    '<a href={here}\n  download>x</a>',
    '<Link to="/x" download="x.png">x</Link>',
  ],
  linkToResource: [
    /\b(href|to)=[{"'`]+\/?api\/|\b(href|to)=\{[^}]*\burl\b/i,
    '<a href="/api/x">x</a>',
    '<Link to={`/api/generations/${id}`}>x</Link>',
    '<a href={output.url}>x</a>',
    '<Link to={generation.output?.url ?? here}>x</Link>',
    '<a href={url}>x</a>',
  ],
  goingToFile: [
    /window\.open|(?<!const )\blocation(\.href)?\s*=[^=]|\b(assign|navigate|redirect)\([^)]*\.url\b/,
    'window.open(address)',
    'window.location.href = address',
    'window.location = address',
    'window.location.assign(output.url)',
    'navigate(output.url)',
  ],
  fetch: [/\bfetch\(/, "await fetch('/login')", "window.fetch('/api/x')"],
} satisfies Record<string, [RegExp, ...string[]]>;

const outside = (folder: string, files: string[]) =>
  files.filter((file) => !file.startsWith(`${folder}/`));

/** The files whose code, comments left out, matches. */
function speaking(of: RegExp, files = sources): string[] {
  return files
    .filter(({ text }) =>
      of.test(text.replaceAll(/(?<=^|[\s{(])\/\*.*?\*\/|^\s*\/\/[^\n]*$/gms, '')),
    )
    .map(({ file }) => file)
    .sort();
}

test('only server modules know the internal address [W02] [W12]', () => {
  const todo = 'Ask the platform through checkPlatformUser and createPlatformSdk.';
  expect(speaking(patterns.internalAddress[0]), todo).toEqual([
    'env.server.ts',
    'platform/upstream/upstream.server.ts',
    // Takes it out of what is logged.
    'server/site.ts',
  ]);
});

test('only the guard, the relay and the adapter call the platform [W01] [W12]', () => {
  const todo = 'Add an operation to the SDK, in app/platform/sdk/.';
  expect(outside('platform', speaking(patterns.upstreamCall[0])), todo).toEqual([]);
});

test('components and the browser’s files import no server module [W12] [W23]', () => {
  const browser = sources.filter(
    ({ file }) => file.includes('/') && !/\.server\.|^server\/|(^|\/)routes(\/|\.)/.test(file),
  );
  expect(browser.length).toBeGreaterThan(15);
  const todo = 'Ask in a loader or an action, and give the component what it shows.';
  expect(speaking(patterns.serverImport[0], browser), todo).toEqual([]);
});

test('nobody sends the platform a token [W01]', () => {
  const todo = 'Send none: the platform attaches identity by itself.';
  expect(outside('external', speaking(patterns.token[0])), todo).toEqual([]);
});

/** A whole segment of a path: `designs` and `authors` are a site's own. */
const signsIn = /(^|\/)(log-?(in|out)|sign-?(in|out|up)|auth)(\/|$)/i;

test.each(['login', 'sign-in', 'account/logout', 'auth/:step'])('/%s would be found', (path) => {
  expect(path).toMatch(signsIn);
});

test.each(['designs', 'authors/:id', 'signals', 'blogin'])(
  '/%s is a route like any other',
  (path) => {
    expect(path).not.toMatch(signsIn);
  },
);

test('the platform’s sign-in stands in one file, and the site has no such route of its own [W05] [W30]', () => {
  const todo = 'Use SignInButton, SignOutButton or requirePlatformUser. The platform owns sign-in.';
  expect(speaking(patterns.platformSignIn[0]), todo).toEqual(['platform/auth-navigation.ts']);
  const paths = routes.map(({ path }) => path ?? '/');
  expect(
    paths.filter((path) => signsIn.test(path)),
    todo,
  ).toEqual([]);
});

test('no link is a native download, and none leads to a resource [W21] [W28]', () => {
  const todo = 'Use DownloadButton: a native download leaves the frame’s cookies behind.';
  expect(speaking(patterns.nativeDownload[0]), todo).toEqual([]);
  expect(speaking(patterns.linkToResource[0]), todo).toEqual([]);
  expect(speaking(patterns.goingToFile[0]), todo).toEqual([]);
});

test('the browser asks for the profile, for files and for small answers in one file each [W14] [W22]', () => {
  const todo = 'Use useUser, useApi, DownloadButton, or Remix: a loader, an action, a fetcher.';
  const asking = speaking(patterns.fetch[0]).filter((file) => !file.endsWith('.server.ts'));
  expect(asking, todo).toEqual([
    'frame/api.ts',
    'frame/download.ts',
    'platform/user.ts',
    // Puts the site's own scripts into the browser's cache.
    'shell/connection/route-files.ts',
  ]);
});

const planted = Object.values(patterns).flatMap(([pattern, ...texts]: [RegExp, ...string[]]) =>
  texts.map((text): [string, RegExp] => [text, pattern]),
);

test.each(planted)('%s would be found, but not in a comment', (text, pattern) => {
  const files = [
    { file: 'bad.tsx', text: `// A comment.\n${text}` },
    { file: 'fine.tsx', text: `/** ${text} */\nconst all = './*.ts';\n{/* ${text} */}` },
  ];
  expect(speaking(pattern, files)).toEqual(['bad.tsx']);
});
