import { expect, test } from 'vitest';
import { resource } from '../core/definition/service.ts';
import { readFrom, toolContext } from './tool-context-double.ts';

const page = resource({
  name: 'page',
  title: 'Page',
  description: 'A page of a team’s wiki.',
  uri: 'wiki://teams/{team}/pages/{page}',
  mimeType: 'text/markdown',
  read: ({ team, page: name }, { caller }) =>
    Promise.resolve(`${name} of ${team} for ${caller.id}`),
});
const team = resource({
  ...page,
  uri: 'wiki://teams/{team}',
  read: ({ team: name }) => Promise.resolve(name),
});

test('a resource is read by its own template, whatever its variables are named [M25]', async () => {
  const context = toolContext();
  const uri = 'wiki://teams/north%20sea/pages/plan';
  expect(await readFrom([team, page], uri, context)).toEqual([
    { uri, mimeType: 'text/markdown', text: 'plan of north sea for local' },
  ]);
  expect(await readFrom([team, page], 'wiki://teams/web', context)).toMatchObject([
    { text: 'web' },
  ]);
  await expect(readFrom([team, page], 'wiki://nothing', context)).rejects.toThrow('no resource');
});
