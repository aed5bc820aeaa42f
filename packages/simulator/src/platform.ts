/**
 * The whole platform simulator: the edge, the internal API, and the handles for tests and for the platform's
 * page.
 */
import { createClock, type Clock } from './clock.ts';
import { createControlApi } from './control/control-api.ts';
import { routesOf, type AuthMode, type PlatformDefinition } from './definition.ts';
import type { FrameState } from './edge/sandbox-watch.ts';
import { openEdge, PLATFORM_HOST, SITE_HOST } from './edge/edge.ts';
import { explainPort } from './programs/env.ts';
import { createFaults, type Faults } from './internal-api/faults.ts';
import { createInternalApi, type InternalApi } from './internal-api/internal-api.ts';
import { createLedger, type Ledger } from './internal-api/ledger.ts';
import { openMailbox, type Mailbox } from './mailbox/mailbox.ts';
import { createPersonaBook, type Persona } from './people/personas.ts';
import { createSessions, SESSION_COOKIE } from './people/sessions.ts';
import { createTickets } from './people/tickets.ts';

export interface PlatformOptions {
  /** The edge's port; 0 means any free one. Default 4000. */
  port?: number;
  /** The internal API's port; 0 means any free one. Default 4001. */
  internalPort?: number;
  /** Where the site listens, such as `http://127.0.0.1:3000`. May be set later. */
  siteUpstream?: string;
  /** The site's auth mode. The platform's page shows only what it has; without it, everything. */
  auth?: AuthMode;
}

export interface Platform<State, Name extends string = string> {
  /** The page with the iframe. */
  readonly platformUrl: string;
  /** The site's origin as a visitor sees it, without a trailing slash. */
  readonly siteOrigin: string;
  /** For `PLATFORM_INTERNAL_URL`. */
  readonly internalUrl: string;
  /** For `SMTP_URL`. */
  readonly smtpUrl: string;
  /** What the site has sent by mail. */
  readonly mailbox: Pick<Mailbox, 'messages' | 'next' | 'clear'>;
  setSiteUpstream(url: string): void;
  readonly personas: readonly Persona[];
  /**
   * Makes `count` synthetic people and returns them. `profile` overrides fields of their generated profiles.
   */
  addPersonas(count: number, profile?: Record<string, unknown>): Persona[];
  readonly ledger: Pick<Ledger<Name>, 'entries' | 'calls' | 'violations' | 'clear' | 'subscribe'>;
  readonly faults: Pick<Faults<Name>, 'set' | 'clear' | 'active'>;
  readonly sessions: {
    /** Signs a persona in and returns the value for a `Cookie` header. */
    createCookie(personaId: string): string;
    /**
     * A value for `x-platform-visitor`, valid until `reset`, for clients that call the site without the edge,
     * such as a benchmark. The site's preload derives a ticket for each call from it, and the internal API
     * accepts no other. Null stands for a stranger.
     */
    mintTicket(personaId: string | null): string;
    /** A one-time path on the site's host that signs a browser in and then redirects to `returnPath`. */
    switchPath(personaId: string, returnPath?: string): string;
    /** Ends every session, or one persona's. Returns how many. */
    revokeAll(personaId?: string): number;
    /** Moves the clock by which sessions expire; they last eight hours. */
    advance(ms: number): void;
  };
  /** The clock by which the platform's work progresses. */
  readonly clock: Pick<Clock, 'advance' | 'freeze' | 'thaw'>;
  /** The state of the site's own operations. */
  readonly state: State;
  /**
   * Returns to the initial state: no sessions, faults or entries, fresh state, real time, the listed people.
   */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts the platform.
 *
 * @param definition its operations and personas.
 * @throws {Error} one sentence that names the port, and the setting for it, when it is taken.
 */
export async function startPlatform<State, Name extends string>(
  definition: PlatformDefinition<State, Name>,
  options: PlatformOptions = {},
): Promise<Platform<State, Name>> {
  const sessionClock = createClock();
  const clock = createClock();
  const personas = createPersonaBook(definition.personas);
  const routes = routesOf(definition);
  let state = definition.createState({ clock, personas });
  const sessions = createSessions(sessionClock);
  const tickets = createTickets();
  const names = routes.map(({ name }) => name);
  const ledger = createLedger(names);
  const faultTargets = ['*', 'user', ...names, 'site'];
  // Faults and the internal API refer to each other, hence the closure.
  const faults = createFaults(faultTargets, (listening) => internalApi.setListening(listening));
  const internalApi: InternalApi = createInternalApi({
    personas,
    sessions,
    tickets,
    routes,
    state: () => state,
    settle: (persona) => definition.settle?.({ state, persona }),
    faults,
    ledger,
  });

  const internalPort = await internalApi
    .listen(options.internalPort ?? 4001)
    .catch(explainPort('PLATFORM_INTERNAL_PORT', options.internalPort ?? 4001));
  const edgePort = await openEdge(options.port ?? 4000).catch(async (error: unknown) => {
    await internalApi.close();
    return explainPort('PLATFORM_PORT', options.port ?? 4000)(error);
  });

  const mailbox = await openMailbox((mail) => {
    controlApi.tellMail(mail.id);
  });
  // As browsers write them: without port 80.
  const platformOrigin = new URL(`http://${PLATFORM_HOST}:${edgePort.port}`).origin;
  const siteOrigin = new URL(`http://${SITE_HOST}:${edgePort.port}`).origin;
  const frame: FrameState = { sandbox: null };

  const platform: Platform<State, Name> = {
    platformUrl: platformOrigin,
    siteOrigin,
    internalUrl: `http://127.0.0.1:${internalPort}`,
    smtpUrl: mailbox.smtpUrl,
    mailbox,
    setSiteUpstream(url) {
      edge.setUpstream(url);
    },
    get personas() {
      return personas.list();
    },
    addPersonas: (count, profile) => personas.addCrowd(count, profile),
    ledger,
    faults,
    sessions: {
      createCookie(personaId) {
        return `${SESSION_COOKIE}=${sessions.create(personas.known(personaId).id).id}`;
      },
      mintTicket(personaId) {
        const session = personaId === null ? null : sessions.create(personas.known(personaId).id);
        return tickets.mint({ method: 'GET', path: '/', session }).value;
      },
      switchPath(personaId, returnPath = '/') {
        const code = sessions.mintSwitchCode(personas.known(personaId).id);
        return `/__auth/switch?${new URLSearchParams({ code, return: returnPath }).toString()}`;
      },
      revokeAll: (personaId) => sessions.revokeAll(personaId),
      advance: (ms) => {
        sessionClock.advance(ms);
      },
    },
    clock,
    get state() {
      return state;
    },
    async reset() {
      sessionClock.reset();
      clock.reset();
      sessions.reset();
      tickets.reset();
      personas.reset();
      state = definition.createState({ clock, personas });
      ledger.clear();
      mailbox.clear();
      frame.sandbox = null;
      await faults.clear();
    },
    async close() {
      controlApi.close();
      await Promise.all([edge.close(), internalApi.close(), mailbox.close()]);
    },
  };

  const controlApi = createControlApi({
    platform,
    faultTargets,
    ledger,
    personas,
    auth: options.auth ?? 'both',
    frame,
  });
  const edge = edgePort.begin({
    personas,
    sessions,
    tickets,
    ledger,
    siteOrigin,
    platformOrigin,
    faults,
    frame,
    servePlatformHost: (request, response) => controlApi.serve(request, response),
    onPage: (path, sessionId) => {
      controlApi.tellPage(path, sessionId);
    },
  });
  if (options.siteUpstream !== undefined) platform.setSiteUpstream(options.siteUpstream);
  return platform;
}
