/** Settings may be read in one file, and the internal address used in one. */
import { phrasings } from '../../test/rule-tester.ts';
import rule from './settings.js';

phrasings(
  'site/settings reports settings read elsewhere [W02] [W12]',
  rule,
  {
    read: [
      "export const key = process.env['API_KEY'];",
      'export const { API_KEY } = process.env;',
      'const { env } = process;\nexport const key = env.API_KEY;',
      "export const key = globalThis.process.env['API_KEY'];",
      "import { env } from 'node:process';\nexport const key = env['API_KEY'];",
      "import process from 'process';\nexport const key = process.env['API_KEY'];",
      'export const key = import.meta.env.VITE_API_KEY as string;',
      "export const key = import.meta.env['VITE_API_KEY'] as string;",
      'export const { VITE_KEY } = import.meta.env;',
      "import 'dotenv/config';",
      "const name = 'env';\nexport const key = process[name]['KEY'];",
      "export const load = () => { process.loadEnvFile('.env'); };",
      "const { env } = import.meta;\nexport const key = env['VITE_KEY'] as string;",
    ],
    address: [
      "import { siteEnv } from '~/env.server';\nexport const loader = () => siteEnv().platformInternalUrl;",
      "import { siteEnv } from '~/env.server';\nexport const loader = () => { const { platformInternalUrl: base } = siteEnv(); return base; };",
      "import { siteEnv } from '~/env.server';\nexport const loader = () => siteEnv()['platformInternalUrl'];",
      "import { siteEnv } from '~/env.server';\nexport const loader = () => ({ settings: siteEnv() });",
      "import { siteEnv } from '~/env.server';\nexport const loader = () => JSON.stringify(siteEnv());",
      "import { siteEnv } from '~/env.server';\nexport const loader = () => { const { siteOrigin, ...others } = siteEnv(); return [siteOrigin, typeof others]; };",
      "import { siteEnv } from '~/env.server';\nconst key = 'platformInternalUrl';\nexport const loader = () => siteEnv()[key];",
    ],
  },
  [
    "import { siteEnv } from '~/env.server';\nconst originOf = (env: ReturnType<typeof siteEnv>) => env.siteOrigin;\nexport const loader = () => originOf(siteEnv());",
    "import { siteEnv } from '~/env.server';\nexport const loader = () => siteEnv().siteOrigin;",
    'export const isDevelopment = import.meta.env.DEV || import.meta.env.MODE === "test";',
    'export const started = process.uptime();',
    "const process = { env: 'a steel mill' };\nexport const words = process.env;",
  ],
);
