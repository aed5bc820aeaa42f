/** The service's routes. */
import { z } from 'zod';
import { countComposed } from '../../../src/core/result/text-length.ts';
import { createDirectory, plain, teamsOf, type Directory, type Person } from './directory.ts';
import { createExportJobs, type ExportJobs } from './exports.ts';

export interface ApiRequest {
  readonly method: string;
  /** The decoded segments of the path. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly idempotencyKey: string | undefined;
  /** The id of the person whose token was sent. Undefined for the service account. */
  readonly personId: string | undefined;
}

export interface ApiResponse {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Project {
  readonly id: string;
  readonly name: string;
  readonly estimate_days?: number | undefined;
  readonly tags: readonly string[];
  /** ISO 8601. */
  readonly created_at: string;
}

interface DirectoryState {
  readonly directory: Directory;
  /** The texts that a search matches. */
  readonly searchTexts: readonly { readonly person: Person; readonly text: string }[];
  readonly jobs: ExportJobs;
  readonly projects: Map<string, Project>;
  /** The first response for each idempotency key. */
  readonly responses: Map<string, ApiResponse>;
  nextProject: number;
}

type Handler = (request: ApiRequest, parameter: string, state: DirectoryState) => ApiResponse;

const newProject = countComposed(
  z.strictObject({
    name: z.string().trim().min(1).max(100),
    estimate_days: z.int().min(0).max(1000).optional(),
    tags: z.array(z.string().trim().min(1).max(50)).max(10).default([]),
  }),
);
const newExport = z.strictObject({
  team_id: z.string().optional(),
  fields: z.array(z.enum(['id', 'name', 'email', 'title', 'team'])).min(1),
});
const page = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  offset: z.coerce.number().int().min(0).default(0),
});

const notFound: ApiResponse = { status: 404, body: { error: 'not_found' } };
const forbidden: ApiResponse = { status: 403, body: { error: 'forbidden' } };
const keptProjects = 10_000;

/** `*` matches one segment. */
const routes: Readonly<Record<string, Handler>> = {
  'GET /me': ({ personId }, _, { directory }) => {
    const person = personId === undefined ? undefined : directory.people.get(personId);
    return found({ id: person?.id ?? 'svc_reader', name: person?.name ?? 'Service account' });
  },

  'GET /users/search': ({ query }, _, { directory, searchTexts }) => {
    const words = plain(query.get('q') ?? '').split(/\s+/);
    const matches = searchTexts
      .filter(({ text }) => words.every((word) => text.includes(word)))
      .map(({ person }) => person);
    return pageOf(query, matches, 'users', (person) => ({
      id: person.id,
      name: person.name,
      email: person.email,
      team: teamsOf(person, directory),
    }));
  },

  'GET /users/*': (_, id, { directory }) => {
    const person = directory.people.get(id);
    if (!person) return notFound;
    if (person.restricted) return forbidden;
    const { name, email, title, started_at } = person;
    return found({ id, name, email, title, started_at });
  },

  'GET /users/*/teams': (_, id, { directory }) => {
    const person = directory.people.get(id);
    if (!person) return notFound;
    if (person.restricted) return forbidden;
    const teams = person.team_ids.flatMap((teamId) => directory.teams.get(teamId) ?? []);
    return found({
      teams: teams.map(({ lead_id, ...team }) => ({
        ...team,
        lead: { id: lead_id, name: directory.people.get(lead_id)?.name },
      })),
    });
  },

  'GET /teams': (_, __, { directory }) => found({ teams: [...directory.teams.values()] }),

  'GET /documents': (_, __, { directory }) =>
    found({
      documents: [...directory.documents.values()]
        .filter(({ restricted }) => !restricted)
        .map(({ name, title }) => ({ name, title })),
    }),

  'GET /documents/*': (_, name, { directory }) => {
    const document = directory.documents.get(name);
    if (!document) return notFound;
    return document.restricted
      ? forbidden
      : found({ name, title: document.title, text: document.text });
  },

  'GET /settings': (_, __, { directory }) => found({ keys: [...directory.settings.keys()] }),

  'GET /settings/*': (_, key, { directory }) =>
    directory.settings.has(key) ? found(directory.settings.get(key)) : notFound,

  'GET /projects': ({ query }, _, { projects }) => {
    const part = plain(query.get('q') ?? '');
    const matches = [...projects.values()].filter(({ name, tags }) =>
      [name, ...tags].some((text) => plain(text).includes(part)),
    );
    return pageOf(query, matches, 'projects', (project) => project);
  },

  'GET /projects/*': (_, id, { projects }) => {
    const project = projects.get(id);
    return project ? found(project) : notFound;
  },

  'POST /projects': ({ body, idempotencyKey }, _, state) => {
    const before = idempotencyKey === undefined ? undefined : state.responses.get(idempotencyKey);
    if (before) return before;
    const { data, error } = newProject.safeParse(body);
    if (!data) return invalid(error);
    const same = [...state.projects.values()].some(({ name }) => plain(name) === plain(data.name));
    if (same) return { status: 409, body: { error: 'name_taken' } };
    if (state.projects.size >= keptProjects) return { status: 507, body: { error: 'full' } };
    const id = `prj_${state.nextProject}`;
    state.nextProject += 1;
    const project = { id, ...data, created_at: new Date().toISOString() };
    state.projects.set(id, project);
    const response = { status: 201, body: project };
    if (idempotencyKey !== undefined) remember(state.responses, idempotencyKey, response);
    return response;
  },

  'DELETE /projects/*': (_, id, { projects }) => (projects.delete(id) ? { status: 204 } : notFound),

  'POST /exports': ({ body }, _, { directory, jobs }) => {
    const { data, error } = newExport.safeParse(body);
    if (!data) return invalid(error);
    const { team_id: teamId, fields } = data;
    if (teamId !== undefined && !directory.teams.has(teamId)) return notFound;
    const people = [...directory.people.values()].filter(
      ({ team_ids, restricted }) =>
        !restricted && (teamId === undefined || team_ids.includes(teamId)),
    );
    return { status: 202, body: jobs.start(people, fields) };
  },

  'GET /exports/*': (_, id, { jobs }) => {
    const job = jobs.get(id);
    return job ? found(job) : notFound;
  },

  'DELETE /exports/*': (_, id, { jobs }) => (jobs.cancel(id) ? { status: 204 } : notFound),
};

export interface Routes {
  respond(request: ApiRequest): ApiResponse;
  isPerson(id: string): boolean;
  close(): void;
}

export function createRoutes(exportStepMs: number): Routes {
  const directory = createDirectory();
  const state: DirectoryState = {
    directory,
    searchTexts: [...directory.people.values()].map((person) => ({
      person,
      text: plain(`${person.name} ${person.email} ${teamsOf(person, directory) ?? ''}`),
    })),
    jobs: createExportJobs(directory, exportStepMs),
    projects: new Map(),
    responses: new Map(),
    nextProject: 1,
  };
  return {
    respond(request) {
      const [first = '', second, third, ...rest] = request.segments;
      if (rest.length > 0) return notFound;
      const exact = [first, second, third].filter((segment) => segment !== undefined).join('/');
      const pattern = [first, second === undefined ? undefined : '*', third]
        .filter((segment) => segment !== undefined)
        .join('/');
      const handler =
        routes[`${request.method} /${exact}`] ?? routes[`${request.method} /${pattern}`];
      if (handler) return handler(request, second ?? '', state);
      const known = Object.keys(routes).some((route) => route.endsWith(` /${pattern}`));
      return known ? { status: 405, body: { error: 'method_not_allowed' } } : notFound;
    },
    isPerson: (id) => directory.people.has(id),
    close: () => {
      state.jobs.close();
    },
  };
}

function found(body: unknown): ApiResponse {
  return { status: 200, body };
}

function invalid(error: z.ZodError): ApiResponse {
  const problems = error.issues.map(({ path, message }) => ({ field: path.join('.'), message }));
  return { status: 422, body: { error: 'invalid', problems } };
}

function pageOf<Item>(
  query: URLSearchParams,
  items: readonly Item[],
  name: string,
  shown: (item: Item) => unknown,
): ApiResponse {
  const { data, error } = page.safeParse(Object.fromEntries(query));
  if (!data) return invalid(error);
  const { limit, offset } = data;
  return found({ [name]: items.slice(offset, offset + limit).map(shown), total: items.length });
}

function remember(responses: Map<string, ApiResponse>, key: string, response: ApiResponse) {
  responses.set(key, response);
  if (responses.size > 1_000)
    for (const oldest of responses.keys()) if (responses.delete(oldest)) break;
}
