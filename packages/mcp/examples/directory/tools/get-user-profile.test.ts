import { afterAll, expect, test } from 'vitest';
import { startExample } from '../test/directory-double.ts';

const real = await startExample();
afterAll(() => real.close());

const profile = (user_id: string, response_format = 'markdown') =>
  real.call('example_get_user_profile', { user_id, response_format });

interface Person {
  name: string;
  teams: { id: string; name: string; lead: { id: string; name: string } }[];
}

/** Returns the first person with so many teams. */
async function personWithTeams(count: number): Promise<Person & { id: string }> {
  for (let number = 1; ; number += 1) {
    const id = `usr_${String(number).padStart(4, '0')}`;
    const { structured } = await profile(id);
    const person = structured as unknown as Person;
    if (person.teams.length === count) return { ...person, id };
  }
}

test('reads a person, each of their teams and its lead in one call [M03 M12]', async () => {
  const { id, name, teams } = await personWithTeams(2);
  const { text } = await profile(id);
  const lines = text.split('\n');
  expect(lines[0]).toBe(`# ${name} (${id})`);
  expect(lines.filter((line) => line.startsWith('### '))).toEqual(
    teams.map((team) => `### ${team.name} (${team.id})`),
  );
  for (const { lead } of teams) expect(lines).toContain(`- **Lead**: ${lead.name} (${lead.id})`);
  expect(text).toMatch(/\*\*With the company since\*\*: \d{1,2} [A-Z][a-z]+ 20\d\d$/m);
});

test('a person without a team is shown as such', async () => {
  const { id } = await personWithTeams(0);
  const { text, structured } = await profile(id);
  expect(text).toMatch(/In no team\.$/);
  expect(structured).toMatchObject({ teams: [] });
});

test('JSON contains the complete profile [M13]', async () => {
  const { text, structured } = await profile('usr_0001', 'json');
  expect(JSON.parse(text)).toEqual(structured);
  expect(Object.keys(structured ?? {})).toEqual([
    'id',
    'name',
    'email',
    'title',
    'started_at',
    'teams',
  ]);
});

test.each([
  ['usr_9999', 'Error: Resource not found. Please check the ID is correct.'],
  ['../settings/locale', 'Error: Resource not found. Please check the ID is correct.'],
  ['usr_0001/teams', 'Error: Resource not found. Please check the ID is correct.'],
  ['usr_0097', "Error: Permission denied. You don't have access to this resource."],
  ['fault-401', 'Error: Invalid API authentication'],
  ['fault-503', 'Error: API request failed with status 503'],
])('%s: %s [M32]', async (id, text) => {
  expect(await profile(id)).toMatchObject({ text, isError: true });
});
