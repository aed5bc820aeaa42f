/** The platform and other services may each be called from one place only. */
import { phrasings } from '../../test/rule-tester.ts';
import rule from './outside-calls.js';

phrasings(
  'site/outside-calls reports calls from anywhere else [W01] [W02] [W12] [W14] [W22]',
  rule,
  {
    call: [
      "export const load = () => fetch('/api/posts');",
      "export const load = () => window.fetch('/api/posts');",
      "export const load = () => globalThis['fetch']('/api/posts');",
      "const ask = fetch;\nexport const load = () => ask('https://a.example');",
      "const { fetch: ask } = globalThis;\nexport const load = () => ask('/x');",
      "const load = ['/a', '/b'].map(fetch as never);\nexport { load };",
      "import { request } from 'undici';\nexport const load = () => request('http://127.0.0.1');",
      "import { fetch as ask } from 'undici';\nexport { ask };",
      "import http from 'node:http';\nexport default http;",
      "import { get } from 'https';\nexport { get };",
      "export const load = async () => (await import('axios')).default;",
      "export { default } from 'ky';",
      "const http = process.getBuiltinModule('node:http');\nexport { http };",
      "export const listen = () => new EventSource('/api/live');",
      "export const listen = () => new WebSocket('wss://a.example');",
      "export const listen = () => new window.WebSocket('wss://a.example');",
      "export const tell = () => navigator.sendBeacon('/api/seen');",
      "export const ask = () => { const request = new XMLHttpRequest(); request.open('GET', '/api/x'); request.send(); };",
      "export const load = ({ fetch: ask }: Window) => ask('/api/x');",
      "export const load = (event: { view: Window | null }) => event.view?.fetch('/api/x');",
    ],
    upstream: [
      "import { createUpstream } from '@gatehouse/platform/server';\nexport const loader = () => createUpstream(() => 'http://a.example').call({ path: '/user' });",
      "import { definePlatform as open } from '@gatehouse/platform/server';\nexport { open };",
      "export const loader = async () => (await import('@gatehouse/platform/server')).createUpstream(() => 'http://a.example').call({ path: '/user' });",
      "import * as upstream from '@gatehouse/platform/server';\nexport const loader = () => upstream.createUpstream(() => 'http://a.example').call({ path: '/user' });",
      "export { createUpstream } from '@gatehouse/platform/server';",
    ],
  },
  [
    "import { useFetcher } from '@remix-run/react';\nexport const useLikes = () => useFetcher();",
    "import { useApi } from '@gatehouse/frame/react';\nexport const useLikes = () => useApi();",
    "import { UpstreamFailure } from '@gatehouse/platform/server';\nexport { UpstreamFailure };",
    "import type { Dispatcher } from 'undici';\nexport type Pool = Dispatcher;",
    "export const shop = { fetch: () => 'ball', request: 'none' };\nshop.fetch();",
    "export const send = (file: File) => { const request = new XMLHttpRequest(); request.upload.onprogress = () => undefined; request.open('POST', '/api/upload'); request.send(file); };",
    "export const words = 'we fetch it for you';",
    'export function useRequest(running: XMLHttpRequest | null) { return running?.status; }',
  ],
);
