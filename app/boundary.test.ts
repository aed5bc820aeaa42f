/** What no single module can promise: who in the site speaks of what. Read from the source itself. */
import { expect, test } from 'vitest';
import routes from './routes';

const sources = Object.entries(
  import.meta.glob<string>('./**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true }),
)
  .map(([file, text]) => ({ file: file.replace('./', ''), text }))
  .filter(
    ({ file }) => !/\.test\.tsx?$|-double\.tsx?$|whole-site\.ts$|console-guard\.ts$/.test(file),
  );

/** The files whose code, comments left out, matches. */
function speaking(of: RegExp, files = sources): string[] {
  return files
    .filter(({ text }) => of.test(text.replaceAll(/\/\*.*?\*\/|^\s*\/\/[^\n]*$/gms, '')))
    .map(({ file }) => file)
    .sort();
}

test('only server modules know the internal address [W02] [W12]', () => {
  expect(speaking(/platformInternalUrl|PLATFORM_INTERNAL_URL/)).toEqual([
    'platform/upstream.server.ts',
    'server/env.server.ts',
  ]);
});

test('only the guard, the relay and the adapter call the platform [W01] [W12]', () => {
  expect(speaking(/\bcallUpstream\b/)).toEqual([
    'platform/platform.server.ts',
    'platform/sdk.server.ts',
    'platform/upstream.server.ts',
    'platform/user-relay.server.ts',
  ]);
});

test('components and the browser’s files import no server module [W12] [W23]', () => {
  const browser = sources.filter(
    ({ file }) => /^(components|platform)\//.test(file) && !file.includes('.server.'),
  );
  expect(browser.length).toBeGreaterThan(15);
  expect(speaking(/from '[^']*(\.server|~\/server\/)[^']*'/, browser)).toEqual([]);
});

test('nobody sends a token [W01]', () => {
  expect(speaking(/['"`]?authorization['"`]?\s*:|Bearer /i)).toEqual([]);
});

test('the platform’s sign-in stands in one file, and the site has no such route of its own [W05] [W30]', () => {
  expect(speaking(/['"`]\/__auth/)).toEqual(['platform/auth-navigation.ts']);
  const paths = routes.map(({ path }) => path ?? '/');
  expect(paths.filter((path) => /login|logout|sign|auth/i.test(path))).toEqual([]);
});

test('no link is a native download, and none leads to a resource [W21] [W28]', () => {
  expect(speaking(/<(a|Link)\b[^>]*\bdownload\b/s)).toEqual([]);
  expect(speaking(/\b(href|to)=[{"'`]+\/?api\//)).toEqual([]);
  expect(speaking(/window\.open|location\.href\s*=/)).toEqual([]);
});

test('the browser asks for the profile in one file, and for files in another [W14] [W22]', () => {
  expect(speaking(/\bfetch\(/)).toEqual(['platform/download.ts', 'platform/user.ts']);
});

test('a file that breaks a rule would be found', () => {
  const bad = {
    file: 'components/bad.tsx',
    text: `// A comment.\nimport x from '~/platform/sdk.server';\n<a href="/api/x" download>x</a>; fetch('/login')`,
  };
  const fine = { file: 'components/fine.tsx', text: `// fetch(\n/** <a download> */` };
  expect(speaking(/\bfetch\(/, [bad, fine])).toEqual([bad.file]);
  expect(speaking(/<(a|Link)\b[^>]*\bdownload\b/s, [bad, fine])).toEqual([bad.file]);
  expect(speaking(/from '[^']*\.server'/, [bad, fine])).toEqual([bad.file]);
});
