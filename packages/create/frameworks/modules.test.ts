/** A module on Remix, and what it becomes. */
import { expect, test } from 'vitest';
import { moduleForReactRouter } from './modules.ts';

test.each([
  [
    'imports become one, of the names that differ too',
    `/** A page. */
import { data, type LoaderFunctionArgs } from '@remix-run/node';
import { Form, useLoaderData } from '@remix-run/react';
import { createRemixStub } from '@remix-run/testing';
import { z } from 'zod';

const Page = createRemixStub([{ remix: 1, createRemixStub }]);
`,
    `/** A page. */
import { data, Form, useLoaderData, createRoutesStub, type LoaderFunctionArgs } from 'react-router';
import { z } from 'zod';

const Page = createRoutesStub([{ remix: 1, createRemixStub: createRoutesStub }]);
`,
  ],
  [
    'types alone stay types',
    "import type { MetaFunction } from '@remix-run/node';\n",
    "import type { MetaFunction } from 'react-router';\n",
  ],
  [
    'the routes’ own functions are the compiler’s',
    "import { route } from '@remix-run/route-config';\nexport { x } from '@gatehouse/server/remix/testing';\n",
    "import { route } from '@react-router/dev/routes';\nexport { x } from '@gatehouse/server/react-router/testing';\n",
  ],
  [
    'what the browser starts is in a module of its own',
    "import { RemixBrowser } from '@remix-run/react';\nimport { remix } from '@gatehouse/frame/remix';\nconst page = <RemixBrowser />;\nstart({ framework: remix }, import('virtual:remix/server-build'));\n",
    "import { HydratedRouter } from 'react-router/dom';\nimport { reactRouter } from '@gatehouse/frame/react-router';\nconst page = <HydratedRouter />;\nstart({ framework: reactRouter }, import('virtual:react-router/server-build'));\n",
  ],
  [
    'a page’s data is called what it is',
    "import { useMatches } from '@remix-run/react';\nexport const meta: Meta = ({ data }) => [{ title: data?.data }];\nconst page = useMatches().at(-1);\nuse(page?.data, other.data);\n",
    "import { useMatches } from 'react-router';\nexport const meta: Meta = ({ loaderData }) => [{ title: loaderData?.data }];\nconst page = useMatches().at(-1);\nuse(page?.loaderData, other.data);\n",
  ],
  [
    'nobody waits for a submission',
    "import { useFetcher, useNavigate } from '@remix-run/react';\nconst { submit } = useFetcher<Result>();\nconst go = useNavigate();\nconst send = () => {\n  submit(order);\n  go('/');\n  other();\n};\n",
    "import { useFetcher, useNavigate } from 'react-router';\nconst { submit } = useFetcher<Result>();\nconst go = useNavigate();\nconst send = () => {\n  void submit(order);\n  void go('/');\n  other();\n};\n",
  ],
])('%s', (_, before, after) => {
  expect(moduleForReactRouter('page.tsx', before)).toBe(after);
  expect(moduleForReactRouter('page.tsx', after)).toBe(after);
});
