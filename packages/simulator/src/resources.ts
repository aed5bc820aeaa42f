/** Joins a platform of its resources, each of which is a module. */
import type { Operation, PlatformDefinition, StateParts } from './definition.ts';
import type { Persona } from './people/personas.ts';

/** What a resource's module exports. */
export interface Resource {
  /** Creates what the platform keeps of it. */
  createState: (parts: StateParts) => unknown;
  /** In its place in the offline demo, where each visitor has a state: bounded accordingly. */
  createDemoState?: (parts: StateParts) => unknown;
  /** Their state is that of the whole platform, of which each declares what it uses. */
  operations: readonly Operation<never>[];
  /** Applies what has come due: {@link PlatformDefinition.settle}. */
  settle?: (parts: { state: never; persona: Persona }) => void;
}

/** The state of joined resources, each under its own name. */
export type StateOf<Resources extends Record<string, Resource>> = {
  [Name in keyof Resources]: ReturnType<Resources[Name]['createState']>;
};

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** The resources that each feature of a site brings, in one object. */
export function resourcesOf<Features extends Readonly<Record<string, object>>>(features: Features) {
  const all = Object.values<{ resources?: object }>(features).map(({ resources }) => resources);
  return Object.assign({}, ...all) as Intersection<
    {
      [Name in keyof Features]: Features[Name] extends { resources: infer Own }
        ? Own
        : // eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- the feature has none
          Record<never, Resource>;
    }[keyof Features]
  >;
}

type Joined<Resources extends Record<string, Resource>> = Omit<
  PlatformDefinition<StateOf<Resources>, Resources[keyof Resources]['operations'][number]['name']>,
  'personas'
>;

/** @param resources by the name that each has in the state. */
export function joinResources<Resources extends Record<string, Resource>>(
  resources: Resources,
): Joined<Resources> {
  const all = Object.entries<Resource>(resources);
  const joined = {
    createState: (parts: StateParts) =>
      Object.fromEntries(all.map(([name, { createState }]) => [name, createState(parts)])),
    settle: (parts: { state: unknown; persona: Persona }) => {
      for (const [, { settle }] of all) settle?.(parts as { state: never; persona: Persona });
    },
    operations: all.flatMap(([, { operations }]) => operations),
  };
  return joined as unknown as Joined<Resources>;
}
