/** The service: its tools, its resources, and the API that they call. */
import { api, path, service } from '@gatehouse/mcp';
import { documents, settingValues } from './resources/documents.ts';
import { settings } from './settings.ts';
import { searchUsers } from './tools/search-users.ts';

export default service({
  name: 'example_mcp',
  title: 'Example company directory',
  // How to use the tools together. The model reads it once, at the start.
  instructions: 'The people and documents of the Example company. To find a person, search.',
  settings,
  tools: [searchUsers],
  resources: [documents, settingValues],
  credentialVariable: 'EXAMPLE_API_TOKEN',
  start: (given) =>
    api({
      baseUrl: given.EXAMPLE_API_BASE_URL,
      token: given.EXAMPLE_API_TOKEN,
      timeoutMs: given.EXAMPLE_API_TIMEOUT_MS,
      ready: path`/me`,
    }),
});
