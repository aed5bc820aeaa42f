/** The two modes of the HTTP transport, and the scenarios that the first, the default, cannot pass by design. */
export const modes = ['stateless', 'sessions'] as const;
export type Mode = (typeof modes)[number];

const elicits =
  'The server asks the client while it answers; the client’s answer may reach another process.';
const resumes = 'A broken stream is taken up again in its session, which holds what was missed.';
const watches = 'Nothing is kept of who watches what, and there is no stream to tell it on.';

/** Scenarios that must not pass, each with the reason. */
export const impossible: Readonly<Record<Mode, ReadonlyMap<string, string>>> = {
  stateless: new Map([
    ['elicitation-sep1034-defaults', elicits],
    ['elicitation-sep1330-enums', elicits],
    ['tools-call-elicitation', elicits],
    ['tools-call-sampling', elicits],
    ['resources-subscribe', watches],
    ['resources-unsubscribe', watches],
    ['server-sse-multiple-streams', 'The scenario asks for a session’s id before it begins.'],
    ['server-sse-polling', resumes],
  ]),
  sessions: new Map(),
};

const isExtension = 'Tasks are an extension of the protocol, and this server has none.';

/** The same for the newer suite's scenarios for 2026-07-28. */
export const impossibleOfModern: ReadonlyMap<string, string> = new Map([
  ['input-required-result-non-tool-request', 'Prompts and resources ask nobody.'],
  [
    'input-required-result-ignore-extra-params',
    'An answer is taken with the state of its question, which the scenario leaves out.',
  ],
  ['http-custom-header-server-validation', 'No tool here has arguments that headers repeat.'],
  [
    'json-schema-2020-12',
    'The schemas of tools are made from their models, which have no such keywords.',
  ],
  ...[
    'capability-negotiation',
    'dispatch-and-envelope',
    'lifecycle',
    'mrtr-composition',
    'mrtr-input',
    'request-headers',
    'request-state-removal',
    'required-task-error',
    'status-notifications',
    'wire-fields',
  ].map((name) => [`tasks-${name}`, isExtension] as const),
]);
