/** One file calls the platform, `app/external/` calls other services, and helpers call the site's own addresses. */
import { globalsOf, importListeners } from '../../analysis/imports.js';
import { memberName } from '../../analysis/targets.js';

const callers = [
  'fetch',
  'XMLHttpRequest',
  'EventSource',
  'WebSocket',
  'WebTransport',
  'navigator.sendBeacon',
];

const clients =
  /^((node:)?(http|https|http2|net|tls|dgram)|undici|axios|got|ky|wretch|superagent|needle|ofetch|node-fetch|cross-fetch|isomorphic-fetch|request|ws|eventsource|graphql-request|openapi-fetch)(\/|$)/;

const upstream = /(^|\/)upstream\/(upstream|stream)\.server$/;

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      call: '`{{name}}` calls out from here. A page asks `/api/` by `useApi` of app/shell/use-api.ts, saves a file by `<DownloadButton>` of app/shell/download-button.tsx, and listens to events by `listenToEvents` of app/frame/events.ts. A loader asks the platform by an operation of app/platform/sdk/ (docs/recipes/platform-operation.md), and another service by a file of its own in app/external/, such as app/external/weather.server.ts.',
      upstream:
        'The platform is called by app/platform/ alone, after the guard. Add an operation to app/platform/sdk/ (docs/recipes/platform-operation.md).',
    },
  },
  create(context) {
    return {
      ...importListeners(({ name, node, names }) => {
        if (clients.test(name)) context.report({ node, messageId: 'call', data: { name } });
        const calls = names.some((one) => /^(\*|callUpstream|openUpstream)$/.test(one));
        if (calls && upstream.test(name)) context.report({ node, messageId: 'upstream' });
      }),
      Program(program) {
        for (const { node, path } of globalsOf(context, program, callers)) {
          if (path === 'XMLHttpRequest' && tellsProgress(context, node)) continue;
          context.report({ node, messageId: 'call', data: { name: path } });
        }
      },
    };
  },
};

/**
 * Whether the request reports the progress of an upload, which `fetch` cannot: docs/recipes/upload.md.
 * @param {import('eslint').Rule.RuleContext} context
 * @param {any} node
 */
function tellsProgress({ sourceCode }, node) {
  const { parent } = node;
  if (parent.type !== 'NewExpression' || parent.parent.type !== 'VariableDeclarator') return false;
  const [variable] = sourceCode.getDeclaredVariables(parent.parent);
  return Boolean(
    variable?.references.some(
      ({ identifier }) => memberName(/** @type {any} */ (identifier).parent) === 'upload',
    ),
  );
}
