/** The wrapped service: its tools, resources and prompts. */
import { defineService, path, type ServiceDefinition, wrapService } from '@gatehouse/mcp';
import { findPersonToAsk } from './prompts/find-person-to-ask.ts';
import { onboardNewcomer } from './prompts/onboard-newcomer.ts';
import { documents } from './resources/documents.ts';
import { settings as settingsResource } from './resources/directory-settings.ts';
import { exampleSettings, type ExampleSettings } from './settings.ts';
import { createExampleState, type ExampleState } from './state.ts';
import { connectAccount } from './tools/connect-account.ts';
import { createProject } from './tools/create-project.ts';
import { deleteProject } from './tools/delete-project.ts';
import { exportDirectory } from './tools/export-directory.ts';
import { getUserProfile } from './tools/get-user-profile.ts';
import { listProjects } from './tools/list-projects.ts';
import { searchUsers } from './tools/search-users.ts';

export function createExampleService(settings: ExampleSettings): ServiceDefinition<ExampleState> {
  return defineService({
    name: 'example_mcp',
    title: 'Example company directory',
    instructions:
      'The people, teams, documents and projects of the Example company. To find a person, search; ' +
      'with an ID, read the profile. A file of everybody comes from the export. It is a resource, as documents ' +
      'are: where you cannot read those, ask the user to open them.',
    tools: [
      searchUsers,
      getUserProfile,
      exportDirectory,
      createProject,
      listProjects,
      deleteProject,
      connectAccount,
    ],
    resources: [documents, settingsResource],
    prompts: [findPersonToAsk, onboardNewcomer],
    credentialVariable: 'EXAMPLE_API_TOKEN',
    start() {
      const state = createExampleState(settings);
      return {
        state,
        credentials: state.credentials,
        isReady: (signal) => state.upstream.isReady(path`/me`, signal),
        stop: () => state.upstream.close(),
      };
    },
  });
}

export default wrapService({ settings: exampleSettings, createService: createExampleService });
