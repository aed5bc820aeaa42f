/** One file calls the platform, `app/external/` calls other services, and helpers call the site's own addresses. */
import { globalListeners, importListeners } from '../../analysis/imports.js';
import { memberName } from '../../analysis/targets.js';
import { sentences, withoutPlatform } from '../../analysis/site-files.js';

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

/** What opens calls to the platform: once in the site, which its operations share. */
const openers = /^(\*|createUpstream|definePlatform)$/;

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      call: sentences(
        'Do not make requests with `{{name}}` here.',
        'In a page, request `/api/` with `useApi` of `@gatehouse/frame/react`, save a file with `<DownloadButton>` of app/shell/download-button.tsx, and receive events with `listenToEvents` of `@gatehouse/frame/browser`.',
        'In a loader or an action, call the platform through an operation of app/platform/ (docs/recipes/platform/platform-operation.md).',
        'Call another service in a loader or an action, through a file of its own in app/external/ (docs/recipes/external-service.md).',
      ),
      upstream:
        sentences(
          'Only app/platform.server.ts may open calls to the platform, which its operations make after the guard.',
          'Add an operation to app/platform/ (docs/recipes/platform/platform-operation.md).',
        ) || withoutPlatform,
    },
  },
  create(context) {
    return {
      ...importListeners(({ name, node, names }) => {
        if (clients.test(name)) context.report({ node, messageId: 'call', data: { name } });
        const opens = names.some((imported) => openers.test(imported));
        if (opens && name === '@gatehouse/platform/server')
          context.report({ node, messageId: 'upstream' });
      }),
      ...globalListeners(context, callers, ({ node, path }) => {
        if (path === 'XMLHttpRequest' && tellsProgress(context, node)) return;
        context.report({ node, messageId: 'call', data: { name: path } });
      }),
    };
  },
};

/**
 * Whether the request reports the progress of an upload, which `fetch` cannot: docs/recipes/studio/upload.md.
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
