/** No inline styles, and no text that becomes markup. */
import { phrasings } from '../../test/rule-tester.ts';
import rule from './inline-markup.js';

const page = (markup: string, around = '') =>
  `import { createElement } from 'react';\nimport { Link } from '@remix-run/react';\nimport { Card } from '~/ui/card';\n${around}\ndeclare const post: { html: string };\nexport default function Page() {\n  void createElement; void Link; void Card;\n  return ${markup};\n}`;

phrasings(
  'site/inline-markup reports inline styles and raw markup [W33]',
  rule,
  {
    style: [
      page("<p style={{ color: 'red' }}>x</p>"),
      page('<p style={look}>x</p>', "const look = { color: 'red' };"),
      page("<p {...{ style: { color: 'red' } }}>x</p>"),
      page('<p {...look}>x</p>', "const look = { style: { color: 'red' } };"),
      page("<Card {...{ style: { color: 'red' } }}>x</Card>"),
      page("createElement('p', { style: { color: 'red' } })"),
      page('<style>{`p { color: red }`}</style>'),
      // A component of this file that shadows an import's name.
      "import { Toaster } from 'sonner';\nexport { Toaster };\nexport default function Page({ Toaster }: { Toaster: 'p' }) {\n  return <Toaster style={{ width: 3 }} />;\n}",
      page('<Link to="/" style={{ width: 3 }}>x</Link>'),
      page("(document.body.setAttribute('style', 'color: red'), null)"),
      page('<p {...look(3)}>x</p>', 'const look = (width: number) => ({ style: { width } });'),
      page('<p {...(post.html && { style: { width: 3 } })}>x</p>'),
      page("createElement('p', look)", 'const look = { style: { width: 3 } };'),
      page("createElement('style', null, 'p { color: red }')"),
      page(
        'cloneElement(<p>x</p>, { style: { width: 3 } })',
        "import { cloneElement } from 'react';",
      ),
    ],
    base: [page('<base href="/posts/" />')],
    raw: [
      page('<p dangerouslySetInnerHTML={{ __html: post.html }} />'),
      page('<p {...{ dangerouslySetInnerHTML: { __html: post.html } }} />'),
      page('<p {...raw} />', "const raw = { dangerouslySetInnerHTML: { __html: 'x' } };"),
      page("createElement('p', { dangerouslySetInnerHTML: { __html: post.html } })"),
      page('(document.body.innerHTML = post.html)'),
      page("(document.body['outerHTML'] = post.html)"),
      page("(document.body.insertAdjacentHTML('beforeend', post.html), null)"),
      page('(document.write(post.html), null)'),
      page('<iframe title="x" srcDoc={post.html} />'),
      page('(Object.assign(document.body, { innerHTML: post.html }), null)'),
      page('(window.document.write(post.html), null)'),
      page("createElement('iframe', { title: 'x', srcDoc: post.html })"),
      page(
        '<p {...raw(post.html)} />',
        'const raw = (html: string) => ({ dangerouslySetInnerHTML: { __html: html } });',
      ),
    ],
  },
  [
    page('<p className="text-muted">x</p>'),
    page('<Toaster style={{ width: 3 }} />', "import { Toaster } from 'sonner';"),
    page('<Chart.Legend style={{ width: 3 }} />', "import * as Chart from 'recharts';"),
    page('<p>{shop.style}</p>', "const shop = { style: 'art deco' };"),
    page("(document.body.style.width = '3px', null)"),
    page('<svg><rect width={3} /></svg>'),
    page('<p>{post.html}</p>'),
  ],
);
