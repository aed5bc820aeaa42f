/** The starter's service, grown: writes, questions, a long-running job, prompts. */
import { service } from '@gatehouse/mcp';
import { documents, settingValues } from '../starter/resources/documents.ts';
import starter from '../starter/service.ts';
import { searchUsers } from '../starter/tools/search-users.ts';
import { findPersonToAsk } from './prompts/find-person-to-ask.ts';
import { onboardNewcomer } from './prompts/onboard-newcomer.ts';
import { connectAccount } from './tools/connect-account.ts';
import { createProject } from './tools/create-project.ts';
import { deleteProject } from './tools/delete-project.ts';
import { exportDirectory } from './tools/export-directory.ts';
import { getUserProfile } from './tools/get-user-profile.ts';
import { listProjects } from './tools/list-projects.ts';

export default service({
  name: 'example_mcp',
  title: 'Example company directory',
  instructions:
    'The people, teams, documents and projects of the Example company. To find a person, search; ' +
    'with an ID, read the profile. A file of everybody comes from the export. It is a resource, as documents ' +
    'are: where you cannot read those, ask the user to open them.',
  settings: starter.settings,
  tools: [
    { ...searchUsers, toolsets: ['people'] },
    getUserProfile,
    exportDirectory,
    createProject,
    listProjects,
    deleteProject,
    connectAccount,
  ],
  resources: [documents, settingValues],
  prompts: [findPersonToAsk, onboardNewcomer],
  credentialVariable: 'EXAMPLE_API_TOKEN',
  start: (given) => starter.createService(given).start(),
});
