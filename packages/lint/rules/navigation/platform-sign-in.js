/** W05, W06, W30: sign-in is the platform's; its pages open as documents, never by the router, a fetch or a prefetch. */
import { mayBegin, textsOf } from '../../analysis/texts.js';
import { targetListeners } from '../../analysis/targets.js';
import { calls, typesOf } from '../../analysis/types.js';
import { sentences, withoutPlatform } from '../../analysis/site-files.js';

const platformRoute = /^\/?__auth([/?#\0]|$)/i;

/** Matches whole segments of a path, so that `designs` and `authors` stay allowed. */
const signsIn = /(^|\/)(log-?(in|out)|sign-?(in|out|up)|auth)(\/|$)/i;

const instead = sentences(
  'In a page, use `SignInButton` and `SignOutButton` of app/shell/platform/auth-buttons.tsx.',
  'In a loader or an action, use `requirePlatformUser` of app/platform.server.ts.',
  'Sign-in to the site’s own accounts is in app/accounts/.',
);
const foreign = 'Addresses under `/__auth/` are the platform’s.';
const only = sentences(
  'Addresses under `/__auth/` are the platform’s: in app/shell/platform/, take them from `@gatehouse/platform`.',
);

/** @type {import('eslint').Rule.RuleModule} */
export default {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      written: `${only || `${foreign} ${withoutPlatform}`} ${instead}`,
      routed: `\`{{by}}\` requests an address under \`/__auth/\` as a route of this site, but it is the platform's and must open as a document. ${instead}`,
      route: `The route \`{{path}}\` would be a second sign-in or sign-out. ${instead}`,
    },
  },
  create(context) {
    const { checker, tsNode } = typesOf(context);
    const reported = new Set();
    return {
      ...targetListeners(context, ({ node, way, by, address }) => {
        if (way === 'link' || way === 'document' || way === 'embed') return;
        if (textsOf(address, checker).some((text) => mayBegin(text, platformRoute))) {
          reported.add(node);
          context.report({ node, messageId: 'routed', data: { by } });
        }
      }),
      'Literal, TemplateLiteral, BinaryExpression[operator="+"]'(/** @type {any} */ node) {
        if (isPartOfText(node) || !/auth/.test(context.sourceCode.getText(node))) return;
        const texts = textsOf(tsNode(node), checker);
        if (reported.has(node) || !texts.some((text) => mayBegin(text, platformRoute))) return;
        context.report({ node, messageId: 'written' });
      },
      ':matches(CallExpression)'(/** @type {any} */ node) {
        const [first] = node.arguments;
        if (
          !first ||
          !calls(tsNode(node), checker, /^(route|prefix)$/, /\/@(remix-run|react-router)\//)
        )
          return;
        const path = textsOf(tsNode(first), checker).find(({ start }) =>
          signsIn.test(start),
        )?.start;
        if (path) context.report({ node: first, messageId: 'route', data: { path } });
      },
    };
  },
};

/**
 * Whether a literal need not be checked: it is part of a longer text, which is checked as a whole, or is a type or a
 * module's name.
 * @param {any} node
 */
function isPartOfText({ parent }) {
  return (
    (parent.type === 'BinaryExpression' && parent.operator === '+') ||
    parent.type === 'TemplateLiteral' ||
    parent.type === 'TSLiteralType' ||
    'source' in parent
  );
}
