/** The site sends no token. */
import { phrasings } from '../../test/rule-tester.ts';
import rule from './no-token.js';

phrasings(
  'site/no-token reports credentials that are sent [W01]',
  rule,
  {
    token: [
      'export const headers = (key: string) => ({ authorization: key });',
      "export const headers = (key: string) => ({ 'Authorization': key });",
      "export const add = (headers: Headers, key: string) => { headers.set('authorization', key); };",
      "export const add = (headers: Headers, key: string) => { headers.append(\n  'X-Api-Key',\n  key,\n); };",
      'export const value = (key: string) => `Bearer ${key}`;',
      "export const value = (key: string) => 'Bearer ' + key;",
      "export const headers = (key: string) => new Headers([['authorization', key]]);",
      "export const add = (headers: Record<string, string>, key: string) => { headers['authorization'] = key; };",
      "const name = 'authorization';\nexport const headers = (key: string) => ({ [name]: key });",
      "const name = 'Authorization';\nexport const add = (headers: Headers, key: string) => { headers.set(name, key); };",
      "const scheme = 'Bearer';\nexport const value = (key: string) => `${scheme} ${key}`;",
      "export const value = (key: string) => ['Bearer', key].join(' ');",
      'export const path = (key: string) => `/posts?access_token=${key}`;',
    ],
  },
  [
    "export const words = 'Your authorization is the platform’s affair.';",
    'export const page = <p>Bearer of good news: authorization is free.</p>;',
    "export const signed = (request: Request) => request.headers.get('authorization');",
    'export const title = `Bearer`;',
    'export function Page({ authorization }: { authorization: string }) { return <p>{authorization}</p>; }',
  ],
);
