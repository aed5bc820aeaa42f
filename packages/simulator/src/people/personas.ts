/**
 * The people who can sign in: the site's own list, validated when it is loaded, and synthetic crowds for the
 * tests that need hundreds.
 */
import { z } from 'zod';

const personaSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  /** What the persona is for, in one short line beside the name. */
  purpose: z.string().min(1).max(40),
  /** The background colour of the persona's initial. */
  colour: z.string().regex(/^#[0-9a-f]{6}$/),
  /** The credits at the start; `profile.credits`, where present, follows the balance. */
  credits: z.number().int().nonnegative(),
  /** The body of `GET /user`. Only the id is guaranteed. */
  profile: z.looseObject({ id: z.string() }),
});

const personaListSchema = z
  .array(personaSchema)
  .min(1)
  .refine((list) => new Set(list.map((persona) => persona.id)).size === list.length, {
    message: 'two personas have the same id',
  });

export type Persona = z.infer<typeof personaSchema>;

export interface PersonaBook {
  list(): Persona[];
  find(id: string): Persona | undefined;
  /** @throws {Error} one sentence when there is no persona with this id. */
  known(id: string): Persona;
  /**
   * Adds `count` synthetic people (`crowd-1`, `crowd-2`, …) and returns them.
   * @param profile overrides fields of their generated profiles.
   */
  addCrowd(count: number, profile?: Record<string, unknown>): Persona[];
  /** The profile as `GET /user` currently returns it. */
  profileOf(persona: Persona): Record<string, unknown>;
  creditsOf(persona: Persona): number;
  /** Takes credits, one by default. Returns false, and takes none, when there are too few. */
  spendCredit(persona: Persona, count?: number): boolean;
  giveCredits(persona: Persona, count: number): void;
  /** Returns to the people of the file and their initial credits. */
  reset(): void;
}

/**
 * Validates a list of personas.
 *
 * @throws {Error} one sentence that names the first problem of the list.
 */
export function parsePersonas(value: unknown): Persona[] {
  const parsed = personaListSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue?.path.length ? ` at ${issue.path.join('.')}` : '';
  throw new Error(`personas.json is not valid${where}: ${issue?.message ?? 'unreadable'}.`);
}

/**
 * Creates the book of personas.
 *
 * @param listed the site's own list, not validated yet.
 */
export function createPersonaBook(listed: unknown): PersonaBook {
  const people = new Map<string, Persona>();
  const credits = new Map<string, number>();
  let crowdSize = 0;

  const add = (persona: Persona): void => {
    people.set(persona.id, persona);
    credits.set(persona.id, persona.credits);
  };

  const book: PersonaBook = {
    list: () => [...people.values()],
    find: (id) => people.get(id),
    known(id) {
      const persona = people.get(id);
      if (!persona) throw new Error(`There is no persona called ${JSON.stringify(id)}.`);
      return persona;
    },
    addCrowd: (count, profile = {}) =>
      Array.from({ length: count }, () => {
        crowdSize += 1;
        const member = crowdMember(crowdSize);
        const persona = { ...member, profile: { ...member.profile, ...profile } };
        add(persona);
        return persona;
      }),
    profileOf: (persona) =>
      'credits' in persona.profile
        ? { ...persona.profile, credits: book.creditsOf(persona) }
        : persona.profile,
    creditsOf: (persona) => credits.get(persona.id) ?? 0,
    spendCredit(persona, count = 1) {
      const left = book.creditsOf(persona);
      if (left < count) return false;
      credits.set(persona.id, left - count);
      return true;
    },
    giveCredits(persona, count) {
      credits.set(persona.id, book.creditsOf(persona) + count);
    },
    reset() {
      people.clear();
      credits.clear();
      crowdSize = 0;
      parsePersonas(listed).forEach(add);
    },
  };
  book.reset();
  return book;
}

/** The name to show for a person, even when the profile has none. */
export function displayName(persona: Persona): string {
  const { name } = persona.profile;
  return typeof name === 'string' ? name : persona.profile.id;
}

/** The letter that stands for a person where there is no picture. */
export function initialOf(persona: Persona): string {
  const letter = /\p{Letter}/u.exec(displayName(persona).replace(/<[^>]*>/g, ''));
  return (letter?.[0] ?? '?').toUpperCase();
}

function crowdMember(number: number): Persona {
  const id = `crowd-${number}`;
  return {
    id,
    purpose: 'One of a crowd, made for a test',
    colour: '#334155',
    credits: 100,
    profile: {
      id: `usr_${id}`,
      name: `Crowd Member ${number}`,
      email: `${id}@example.com`,
      avatar_url: null,
      plan: 'free',
      credits: 100,
    },
  };
}
