/** Answers each question of the evaluation with tool calls only, in the order of the questions. */

/** Calls a tool. @returns The structured data of its result. */
export type Ask = (tool: string, args: Readonly<Record<string, unknown>>) => Promise<unknown>;

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
async function searched(ask: Ask, query: string): Promise<Found[]> {
  const all: Found[] = [];
  for (let offset: number | null = 0; offset !== null;) {
    const page = (await ask('search_users', { query, limit: 100, offset })) as {
      users: readonly Found[];
      next_offset: number | null;
    };
    all.push(...page.users);
    offset = page.next_offset;
  }
  return all;
}

const teamsOf = ({ team = '' }: Found) => team.split(', ');

async function members(ask: Ask, team: string): Promise<Found[]> {
  const found = await searched(ask, team);
  return found.filter((one) => teamsOf(one).includes(team));
}

async function profile(ask: Ask, user_id: string): Promise<Profile> {
  return (await ask('get_user_profile', { user_id })) as Profile;
}

/** Returns a team from the profile of its first member in a search. */
async function teamNamed(ask: Ask, name: string): Promise<Profile['teams'][number]> {
  const page = (await ask('search_users', { query: name, limit: 20 })) as {
    users: readonly Found[];
  };
  const member = page.users.find((one) => teamsOf(one).includes(name));
  const { teams } = await profile(ask, member?.id ?? '');
  const team = teams.find((one) => one.name === name);
  if (!team) throw new Error(`There is no team ${name}`);
  return team;
}

async function leadOf(ask: Ask, team: string): Promise<Profile> {
  return profile(ask, (await teamNamed(ask, team)).lead.id);
}

const startedFirst = (people: readonly Profile[]) =>
  [...people].sort((a, b) => a.started_at.localeCompare(b.started_at))[0];

const profiles = (ask: Ask, people: readonly Found[]) =>
  Promise.all(people.map(({ id }) => profile(ask, id)));

export const solvers: readonly ((ask: Ask) => Promise<string | number | undefined>)[] = [
  async (ask) => {
    const { teams } = await profile(ask, 'usr_0042');
    const [team] = teams;
    if (!team) return undefined;
    const [first = ''] = team.lead.name.split(' ');
    const named = (await members(ask, team.name)).filter(({ name }) =>
      name.startsWith(`${first} `),
    );
    return named.length;
  },
  async (ask) => {
    const named = (await members(ask, 'Billing')).filter(({ name }) => name.startsWith('Grace '));
    return startedFirst(await profiles(ask, named))?.id;
  },
  async (ask) => {
    const teams = await Promise.all(
      ['Legal', 'Brand', 'Mobile'].map((name) => teamNamed(ask, name)),
    );
    return [...teams].sort((a, b) => b.member_count - a.member_count)[0]?.name;
  },
  async (ask) => {
    const both = (await members(ask, 'Billing')).filter((one) => teamsOf(one).includes('Search'));
    return startedFirst(await profiles(ask, both))?.name;
  },
  async (ask) => {
    const [found] = await searched(ask, 'prize');
    const { title, started_at } = await profile(ask, found?.id ?? '');
    return `${title}, ${started_at}`;
  },
  async (ask) => (await leadOf(ask, 'Search')).started_at,
  async (ask) => {
    const leads = await Promise.all(
      ['Finance', 'Legal', 'People'].map((team) => leadOf(ask, team)),
    );
    return startedFirst(leads)?.name;
  },
  async (ask) => {
    const { people } = (await ask('export_directory', { team: 'Quality' })) as { people: number };
    return people - (await teamNamed(ask, 'Research')).member_count;
  },
  async (ask) => {
    const found = await members(ask, 'Design System');
    const [kofi] = await profiles(
      ask,
      found.filter(({ name }) => name.startsWith('Kofi ')),
    );
    return kofi?.teams.find(({ name }) => name !== 'Design System')?.lead.name;
  },
  async (ask) => {
    const { projects } = (await ask('list_projects', { limit: 100 })) as {
      projects: readonly { estimate_days?: number }[];
    };
    const days = projects.reduce((sum, { estimate_days = 0 }) => sum + estimate_days, 0);
    return days + (await teamNamed(ask, 'Facilities')).member_count;
  },
];
