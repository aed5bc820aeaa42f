/** Only cookies that survive in the frame are allowed. */
import { phrasings } from '../../test/rule-tester.ts';
import rule from './cookies.js';

const imports = "import { createCookie } from '@remix-run/node';\n";
const kept = "path: '/', httpOnly: true, secure: true, sameSite: 'none', partitioned: true";

phrasings(
  'site/cookies reports session storages and cookies that the frame would drop',
  rule,
  {
    session: [
      `import { createCookieSessionStorage } from '@remix-run/node';\nexport const { getSession } = createCookieSessionStorage({ cookie: { name: 's' } });`,
      `import { createMemorySessionStorage } from '@remix-run/node';\nconst make = createMemorySessionStorage;\nexport const sessions = make();`,
      "import { createCookieSessionStorage as sessions } from '@remix-run/node';\nexport default sessions();",
      "import * as remix from '@remix-run/node';\nexport default remix.createCookieSessionStorage();",
      "import cookies from 'js-cookie';\nexport default cookies;",
      "export const cookies = () => import('cookie');",
    ],
    dropped: [
      `${imports}export const theme = createCookie('theme');`,
      `${imports}export const theme = createCookie('__Host-theme', { path: '/', secure: true, sameSite: 'lax' });`,
      `${imports}export const theme = createCookie('theme', { ${kept} });`,
      `${imports}const options = { path: '/', secure: true } as const;\nexport const theme = createCookie('__Host-theme', options);`,
      `${imports}export const themeOf = () => {\n  const options = { path: '/' } as const;\n  return createCookie('__Host-theme', options);\n};`,
      "import * as remix from '@remix-run/node';\nexport default remix.createCookie('__Host-theme', { secure: true });",
      "export const answer = new Response(null, { headers: { 'Set-Cookie': 'theme=dark; Path=/' } });",
      "export const answer = (headers: Headers) => { headers.append('set-cookie', `theme=${'dark'}; Path=/; SameSite=None; Secure`); };",
      "export const answer = new Response(null, { headers: { 'Set-Cookie': '__Secure-theme=dark; Path=/; SameSite=None; Partitioned' } });",
      "const cookie = 'theme=dark; Path=/';\nexport const answer = new Response(null, { headers: { 'Set-Cookie': cookie } });",
      `${imports}const optionsOf = () => ({ path: '/', sameSite: 'lax' as const });\nexport const theme = createCookie('__Host-theme', optionsOf());`,
      `${imports}const name = 'theme';\nexport const theme = createCookie(name, { ${kept} });`,
      "export const answer = new Response(null, { headers: [['Set-Cookie', 'theme=dark; Path=/']] });",
      "export const answer = (headers: Record<string, string>) => { headers['Set-Cookie'] = 'theme=dark; Path=/'; };",
      "const name = 'Set-Cookie';\nexport const answer = (headers: Headers) => { headers.append(name, ['theme=dark', 'Path=/'].join('; ')); };",
      "const themeOf = (name: string) => `theme=${name}; Path=/; SameSite=Lax`;\nexport const answer = new Response(null, { headers: { 'Set-Cookie': themeOf('dark') } });",
    ],
    script: [
      "document.cookie = 'theme=dark';",
      "window.document.cookie = 'theme=dark';",
      'const { cookie } = document;\nexport { cookie };',
      "export const keep = () => cookieStore.set('theme', 'dark');",
      "export const see = (event: { view: Window }) => { event.view.document.cookie = 'seen=1'; };",
    ],
  },
  [
    "const rest = 'Path=/; Secure; SameSite=None; Partitioned';\nexport const answer = new Response(null, { headers: { 'Set-Cookie': `__Host-t=1; ${rest}` } });",
    "export const answer = (from: Headers) => from.getSetCookie().map((cookie) => ['Set-Cookie', cookie]);",
    `${imports}export const theme = createCookie('__Host-theme', { ${kept} });`,
    `${imports}const frame = { ${kept} } as const;\nexport const theme = createCookie('__Host-theme', { ...frame, maxAge: 60 });`,
    `${imports}const theme = createCookie('__Host-theme', { ${kept} });\nexport const headers = async () => ({ 'set-cookie': await theme.serialize('dark') });`,
    `${imports}const kept = { path: '/' } as const;\nexport const themeOf = () => {\n  const kept = { ${kept} } as const;\n  return createCookie('__Host-theme', kept);\n};\nexport { kept };`,
    "export { type CookieSerializeOptions } from 'cookie';",
    "export const recipe = { cookie: 'oats and honey', session: 'evening' };",
    "export const answer = new Response(null, { headers: { 'set-cookie': '__Host-t=1; Path=/; Secure; SameSite=None; Partitioned' } });",
  ],
);
