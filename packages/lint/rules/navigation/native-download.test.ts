/** No navigation leads to an address under `/api/`, however it is written. */
import { phrasings } from '../../test/rule-tester.ts';
import rule from './native-download.js';

const imports =
  "import { Form, Link, useFetcher, useLoaderData, useNavigate } from '@remix-run/react';\nimport { redirect } from '@remix-run/node';\nimport type { Generation } from '~/platform/generations/generations';\n";
const page = (body: string, around = '') =>
  `${imports}${around}\ndeclare const id: string;\ndeclare const post: { id: string; url: string };\ndeclare const made: Generation;\nexport default function Page() {\n  ${body}\n}`;
const shows = (markup: string, around = '') => page(`return ${markup};`, around);

phrasings(
  'site/native-download reports native requests to resources [W21] [W28]',
  rule,
  {
    native: [
      shows('<a href="/api/files/1">file</a>'),
      shows('<a href={`/api/files/${id}`}>file</a>'),
      shows("<a href={'/api/files/' + id}>file</a>"),
      shows('<a href={file}>file</a>', "const file = '/api/files/1';"),
      shows('<a href={`${base}/${id}`}>file</a>', "const base = '/api/files';"),
      shows('<a href={paths.file}>file</a>', "const paths = { file: '/api/files/1' };"),
      shows(
        '<a href={fileOf(id)}>file</a>',
        'const fileOf = (one: string) => `/api/files/${one}`;',
      ),
      shows(
        "<a href={under('api/files', id)}>file</a>",
        "const under = (...parts: string[]) => '/api/' + parts.join('/');",
      ),
      shows("<a href={['/api', 'files', id].join('/')}>file</a>"),
      shows('<a href={made.output?.url}>file</a>'),
      page(
        'const { output } = made;\n  if (!output) return null;\n  const { url } = output;\n  return <a href={url}>file</a>;',
      ),
      page(
        "const { made } = useLoaderData<typeof loader>();\n  return <a href={made.output?.url ?? '/'}>file</a>;",
        'declare function loader(): Promise<{ made: Generation }>;',
      ),
      shows('<Link to="/api/files/1" reloadDocument>file</Link>'),
      shows('<Link to="/api/files/1">file</Link>'),
      shows('<form action="/api/export"><button>Export</button></form>'),
      shows('<Form action="/api/export" reloadDocument />'),
      shows('<iframe title="file" src="/api/files/1" />'),
      shows("<a {...{ href: '/api/files/1' }}>file</a>"),
      page("window.open('/api/files/1');\n  return null;"),
      page("window.open(`/api/files/${id}`, '_blank');\n  return null;"),
      page("open('/api/files/1');\n  return null;"),
      page("globalThis.open('/api/files/1');\n  return null;"),
      page("window.location.href = '/api/files/1';\n  return null;"),
      page("window['location']['href'] = `/api/files/${id}`;\n  return null;"),
      page("location.assign('/api/files/' + id);\n  return null;"),
      page("location = '/api/files/1' as never;\n  return null;"),
      page("const { location: place } = window;\n  place.replace('/api/files/1');\n  return null;"),
      page("location.href = window.location.origin + '/api/files/1';\n  return null;"),
      page("location.href = new URL('/api/files/1', location.href).href;\n  return null;"),
      page("location.assign(new URL('/api/files/1', location.href));\n  return null;"),
      page("const go = useNavigate();\n  void go('/api/files/1');\n  return null;"),
      page(
        "const anchor = document.createElement('a');\n  anchor.href = '/api/files/1';\n  anchor.click();\n  return null;",
      ),
      page(
        "const anchor = document.createElement('a');\n  anchor.setAttribute('href', '/api/files/1');\n  return null;",
      ),
      `${imports}export const loader = () => redirect('/api/files/1');`,
      page(
        "const [url] = useState('/api/files/1');\n  return <a href={url}>file</a>;",
        "import { useState } from 'react';",
      ),
      page(
        "Object.assign(document.createElement('a'), { href: '/api/files/1' }).click();\n  return null;",
      ),
      shows('<a href="../../api/files/1">file</a>'),
      shows("<a href={['', 'api', 'files'].join('/')}>file</a>"),
    ],
    download: [
      shows('<a href={post.url} download>file</a>'),
      shows('<a href={post.url}\n  download="file.png">file</a>'),
      shows('<Link to="/files/1" download={`${id}.png`}>file</Link>'),
      shows('<a {...{ download: true }} href={post.url}>file</a>'),
      page(
        "const anchor = document.createElement('a');\n  anchor.download = 'file.png';\n  return null;",
      ),
      page(
        "const anchor = document.createElement('a');\n  anchor.setAttribute('download', '');\n  return null;",
      ),
      shows("<a href={post.url} {...(id && { download: 'file.png' })}>file</a>"),
      shows(
        '<a href={post.url} {...saving()}>file</a>',
        "const saving = () => ({ download: 'file.png' });",
      ),
      page(
        "Object.assign(document.createElement('a'), { href: post.url, download: 'file.png' }).click();\n  return null;",
      ),
    ],
    opened: [
      page('window.open(post.url);\n  return null;'),
      page("const { open } = window;\n  open(post.url, '_blank');\n  return null;"),
      page('const show = window.open;\n  show(post.url);\n  return null;'),
    ],
  },
  [
    page(
      "Object.assign(document.createElement('a'), { href: URL.createObjectURL(new Blob(['words'])), download: 'words.txt' }).click();\n  return null;",
    ),
    shows('<a href={post.url}>a post elsewhere</a>'),
    shows('<a href="https://api.example/docs">documentation</a>'),
    shows('<a href="/apiary">bees</a>'),
    shows('<Link to="/files">files</Link>'),
    shows('<img alt="" src={made.output?.url} />'),
    shows('<img alt="" src="/api/pictures/1" />'),
    shows('<video src={made.output?.url}><track kind="captions" /></video>'),
    page(
      'const fetcher = useFetcher();\n  return <fetcher.Form method="post" action="/api/likes" />;',
    ),
    page("const fetcher = useFetcher();\n  fetcher.load('/api/likes');\n  return null;"),
    page("window.open('https://docs.example/', '_blank', 'noopener');\n  return null;"),
    shows('<p>Our API is at /api/, download it.</p>'),
    shows('<a href="data:text/plain,words" download="words.txt">words</a>'),
    page(
      "const href = URL.createObjectURL(new Blob(['words']));\n  return <a href={href} download='words.txt'>words</a>;",
    ),
    page(
      "const anchor = document.createElement('a');\n  anchor.href = URL.createObjectURL(new Blob(['words']));\n  anchor.download = 'words.txt';\n  anchor.click();\n  return null;",
    ),
    page('const state = { download: true };\n  return state.download ? <p>yes</p> : null;'),
  ],
);
