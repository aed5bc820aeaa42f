/** People, teams, documents and settings of an example company, the same on every start. */

export interface Team {
  readonly id: string;
  readonly name: string;
  readonly purpose: string;
  readonly lead_id: string;
  readonly member_count: number;
}

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly title: string;
  /** An ISO 8601 date. */
  readonly started_at: string;
  /** Empty for a person without a team. */
  readonly team_ids: readonly string[];
  /** Found by a search, but reading it is a 403. */
  readonly restricted: boolean;
}

export interface Document {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly restricted: boolean;
}

export interface Directory {
  readonly people: ReadonlyMap<string, Person>;
  readonly teams: ReadonlyMap<string, Team>;
  /** Finished exports are added here. */
  readonly documents: Map<string, Document>;
  readonly settings: ReadonlyMap<string, unknown>;
}

const peopleCount = 4_000;

const firstNames =
  `Ada Aino Alan Amara Ana Anders Ángela Anton Beatriz Björn Carla Chen Chloé Dana Daniel Diego Edsger Elif Emeka
Eva Fatima Felix Freya Grace Hana Hedy Ibrahim Ines Ivan Jamal Jan João Jun Kai Karen Katherine Kofi Lars Leïla
Linus Lucía Magnus Malik Margaret Maria Mateo Mei Mina Nadia Nils Noor Olga Omar Paula Priya Radia Rafael Ren Rosa
Sanjay Sara Sofia Søren Tariq Tove Uma Vera Wei Yara Yuki Zoë`.split(/\s+/);

const lastNames =
  `Abara Almeida Andersson Bakker Becker Berg Bianchi Castillo Chatterjee Costa Diaz Dubois Engel Fischer Fontaine
Garcia Goldberg Haddad Hansen Hopper Ito Ivanova Jansen Jensen Johansson Kaya Keller Khan Kim Kowalski Kumar Larsen
Laurent Lindqvist Liskov Lopez Lovelace Mbeki Meyer Moreau Müller Nakamura Nguyen Novak Nuñez Okafor Olsen Ortega
Park Patel Pereira Petrov Popescu Quispe Ramirez Rossi Ruiz Saito Santos Sato Schmidt Silva Singh Suzuki Tanaka
Torres Turing Usman Varga Vega Virtanen Wagner Weber Wójcik Yamada Yilmaz Zhang`.split(/\s+/);

const titles = [
  'Analyst',
  'Designer',
  'Developer',
  'Engineer',
  'Lead',
  'Manager',
  'Researcher',
  'Writer',
];

const teamNames: readonly (readonly [name: string, purpose: string])[] = [
  ['Accessibility', 'Makes every product usable by everybody.'],
  ['Accounts', 'Sign-in, profiles and preferences.'],
  ['Analytics', 'Counts what the company needs to know.'],
  ['Billing', 'Invoices, plans and refunds.'],
  ['Brand', 'How the company looks and sounds.'],
  ['Community', 'Forums, events and newcomers.'],
  ['Data Platform', 'Pipelines and storage for every other team.'],
  ['Design System', 'Components that all products share.'],
  ['Developer Experience', 'Builds, tests and tools.'],
  ['Documentation', 'Guides and reference.'],
  ['Facilities', 'Offices and everything in them.'],
  ['Finance', 'Budgets and reports.'],
  ['Infrastructure', 'Networks, machines and deployment.'],
  ['Legal', 'Contracts and licences.'],
  ['Localization', 'Every product in every language.'],
  ['Mobile', 'The applications for telephones.'],
  ['Payments', 'Cards, transfers and fraud.'],
  ['People', 'Hiring, growing and caring.'],
  ['Quality', 'Finds faults before others do.'],
  ['Research', 'Asks people what they need.'],
  ['Search', 'Finds what is looked for.'],
  ['Security', 'Keeps everybody’s data safe.'],
  ['Support', 'Answers every question.'],
  ['Web', 'The sites.'],
];

/** People are the same in every directory; documents can change. */
export function createDirectory(): Directory {
  return {
    ...company,
    documents: new Map(documents.map((document) => [document.name, document])),
    settings: new Map(Object.entries(settings)),
  };
}

function foundCompany(): Pick<Directory, 'people' | 'teams'> {
  const random = randomNumbers(1);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const teamIds = teamNames.map(([name]) => `team_${asciiOf(name)}`);
  const people = new Map<string, Person>();
  const emails = new Set<string>();

  for (let index = 1; index <= peopleCount; index += 1) {
    const id = `usr_${String(index).padStart(4, '0')}`;
    // Names are user input: one of them contains markup.
    const name =
      index === 13
        ? 'Zoë *Star* [prize](https://prize.test)'
        : `${pick(firstNames)} ${pick(lastNames)}`;
    const address = asciiOf(name).replaceAll('_', '.');
    const email = `${emails.has(address) ? `${address}.${index}` : address}@example.com`;
    emails.add(address);
    const chosen = [pick(teamIds), pick(teamIds)];
    const memberships = random() < 0.12 ? 0 : random() < 0.2 ? 2 : 1;
    people.set(id, {
      id,
      name,
      email,
      title: pick(titles),
      started_at: new Date(Date.UTC(2012, 0, 1) + Math.floor(random() * 5_000) * 86_400_000)
        .toISOString()
        .slice(0, 10),
      team_ids: [...new Set(chosen)].slice(0, memberships),
      restricted: index % 97 === 0,
    });
  }

  const teams = teamNames.map(([name, purpose], index): Team => {
    const id = teamIds[index] ?? '';
    const members = [...people.values()].filter(({ team_ids }) => team_ids.includes(id));
    return { id, name, purpose, lead_id: members[0]?.id ?? '', member_count: members.length };
  });

  return { people, teams: new Map(teams.map((team) => [team.id, team])) };
}

const documents: readonly Document[] = [
  {
    name: 'handbook.md',
    title: 'Handbook',
    text: '# Handbook\n\nWelcome. Find people with the directory, and ask them.\n\n- Core hours: 10 to 15.\n- Every team has a lead.\n- Write decisions down.\n',
    restricted: false,
  },
  {
    name: 'onboarding.md',
    title: 'First week',
    text: '# First week\n\n1. Meet your team lead.\n2. Read the handbook.\n3. Ship something small.\n',
    restricted: false,
  },
  {
    name: 'security policy.txt',
    title: 'Security policy',
    text: 'Report what looks wrong to the Security team. Never share a token.\n',
    restricted: false,
  },
  {
    name: 'résumé-guide.md',
    title: 'How to write a résumé',
    text: '# Résumés\n\nOne page. Verbs first.\n',
    restricted: false,
  },
  { name: 'salaries.csv', title: 'Salaries', text: 'id,salary\n', restricted: true },
];

const settings = {
  company: { name: 'Example Company', domain: 'example.com' },
  export: { fields: ['id', 'name', 'email', 'team'] },
  locale: 'en',
  projects: { require_tags: false, maximum_per_person: 20 },
  working_hours: { from: '10:00', until: '15:00', time_zone: 'UTC' },
};

/** Returns a person's teams as one text: `Billing, Web`. Undefined without a team. */
export function teamsOf({ team_ids }: Person, { teams }: Directory): string | undefined {
  const names = team_ids.flatMap((id) => teams.get(id)?.name ?? []);
  return names.length === 0 ? undefined : names.join(', ');
}

/** Returns a name in ASCII letters, joined by `_`. */
function asciiOf(text: string): string {
  return plain(text)
    .replaceAll(/[^a-z]+/g, '_')
    .replaceAll(/^_|_$/g, '');
}

/** Normalizes text for comparison: lower case, no accents. */
export function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll('ı', 'i');
}

/** Mulberry32: pseudo-random numbers from 0 to 1, the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const company = foundCompany();
