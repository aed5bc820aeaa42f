/** Answers each question of the evaluation with tool calls only, in the order of the questions. */

/** Calls a tool. @returns The structured data of its result. */
export type CallTool = (tool: string, args: Readonly<Record<string, unknown>>) => Promise<unknown>;

interface Found {
  readonly id: string;
  readonly name: string;
  readonly team?: string;
}

interface Profile {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly title: string;
  readonly started_at: string;
  readonly teams: readonly {
    readonly name: string;
    readonly purpose: string;
    readonly member_count: number;
    readonly lead: { readonly id: string; readonly name: string };
  }[];
}

/** Returns everyone that a search finds, page by page. */
async function searched(callTool: CallTool, query: string): Promise<Found[]> {
  const all: Found[] = [];
  for (let offset: number | null = 0; offset !== null;) {
    const page = (await callTool('search_users', { query, limit: 100, offset })) as {
      users: readonly Found[];
      next_offset: number | null;
    };
    all.push(...page.users);
    offset = page.next_offset;
  }
  return all;
}

const teamsOf = ({ team = '' }: Found) => team.split(', ');

async function members(callTool: CallTool, team: string): Promise<Found[]> {
  const found = await searched(callTool, team);
  return found.filter((user) => teamsOf(user).includes(team));
}

async function profile(callTool: CallTool, user_id: string): Promise<Profile> {
  return (await callTool('get_user_profile', { user_id })) as Profile;
}

/** Returns a team from the profile of its first member in a search. */
async function teamNamed(callTool: CallTool, name: string): Promise<Profile['teams'][number]> {
  const page = (await callTool('search_users', { query: name, limit: 20 })) as {
    users: readonly Found[];
  };
  const member = page.users.find((user) => teamsOf(user).includes(name));
  const { teams } = await profile(callTool, member?.id ?? '');
  const team = teams.find((candidate) => candidate.name === name);
  if (!team) throw new Error(`There is no team ${name}`);
  return team;
}

async function leadOf(callTool: CallTool, team: string): Promise<Profile> {
  return profile(callTool, (await teamNamed(callTool, team)).lead.id);
}

const startedFirst = (people: readonly Profile[]) =>
  [...people].sort((a, b) => a.started_at.localeCompare(b.started_at))[0];

const profiles = (callTool: CallTool, people: readonly Found[]) =>
  Promise.all(people.map(({ id }) => profile(callTool, id)));

export const solvers: readonly ((callTool: CallTool) => Promise<string | number | undefined>)[] = [
  async (callTool) => {
    const { teams } = await profile(callTool, 'usr_0042');
    const [team] = teams;
    if (!team) return undefined;
    const [first = ''] = team.lead.name.split(' ');
    const named = (await members(callTool, team.name)).filter(({ name }) =>
      name.startsWith(`${first} `),
    );
    return named.length;
  },
  async (callTool) => {
    const named = (await members(callTool, 'Billing')).filter(({ name }) =>
      name.startsWith('Grace '),
    );
    return startedFirst(await profiles(callTool, named))?.id;
  },
  async (callTool) => {
    const teams = await Promise.all(
      ['Legal', 'Brand', 'Mobile'].map((name) => teamNamed(callTool, name)),
    );
    return [...teams].sort((a, b) => b.member_count - a.member_count)[0]?.name;
  },
  async (callTool) => {
    const both = (await members(callTool, 'Billing')).filter((user) =>
      teamsOf(user).includes('Search'),
    );
    return startedFirst(await profiles(callTool, both))?.name;
  },
  async (callTool) => {
    const [found] = await searched(callTool, 'prize');
    const { title, started_at } = await profile(callTool, found?.id ?? '');
    return `${title}, ${started_at}`;
  },
  async (callTool) => (await leadOf(callTool, 'Search')).started_at,
  async (callTool) => {
    const leads = await Promise.all(
      ['Finance', 'Legal', 'People'].map((team) => leadOf(callTool, team)),
    );
    return startedFirst(leads)?.name;
  },
  async (callTool) => {
    const { people } = (await callTool('export_directory', { team: 'Quality' })) as {
      people: number;
    };
    return people - (await teamNamed(callTool, 'Research')).member_count;
  },
  async (callTool) => {
    const found = await members(callTool, 'Design System');
    const [kofi] = await profiles(
      callTool,
      found.filter(({ name }) => name.startsWith('Kofi ')),
    );
    return kofi?.teams.find(({ name }) => name !== 'Design System')?.lead.name;
  },
  async (callTool) => {
    const { projects } = (await callTool('list_projects', { limit: 100 })) as {
      projects: readonly { estimate_days?: number }[];
    };
    const days = projects.reduce((sum, { estimate_days = 0 }) => sum + estimate_days, 0);
    return days + (await teamNamed(callTool, 'Facilities')).member_count;
  },
];
