/** Storage may be used only where code handles its denial. */
import { phrasings } from '../../test/rule-tester.ts';
import rule from './storage.js';

phrasings(
  'site/storage reports storage under any name',
  rule,
  {
    store: [
      "localStorage.setItem('theme', 'dark');",
      "window.localStorage.getItem('theme');",
      "const theme = globalThis.localStorage?.['theme'];\nexport { theme };",
      "window['sessionStorage'].clear();",
      'const { localStorage: store } = window;\nstore.clear();',
      'const store = typeof window === "undefined" ? null : window.sessionStorage;\nexport { store };',
      'const place = window;\nplace.localStorage.clear();',
      "export const open = () => indexedDB.open('site');",
      "export const kept = () => caches.open('site');",
      "export const read = () => self.sessionStorage.getItem('x');",
      'export const theme = () => document.defaultView?.localStorage.theme as string;',
      'export const keep = ({ localStorage: store }: Window) => { store.clear(); };',
      'export const keep = (event: { view: Window | null }) => { event.view?.sessionStorage.clear(); };',
      "const name = 'localStorage';\nexport const keep = () => { window[name].clear(); };",
      "import { get } from 'idb-keyval';\nexport { get };",
    ],
  },
  [
    'export const keep = (kept: { localStorage: Map<string, string> }) => { kept.localStorage.clear(); };',
    "const localStorage = new Map<string, string>();\nlocalStorage.set('a', 'b');\nexport {};",
    "export const words = 'localStorage is not for a frame';",
    'export const plan = { localStorage: false };',
    'export function Page({ caches }: { caches: string[] }) { return <p>{caches.length}</p>; }',
  ],
);
